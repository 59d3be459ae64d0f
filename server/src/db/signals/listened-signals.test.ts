import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { bytesKeptBy } from '../../../../testing/old-generation.ts'
import { openStore } from '../../../test/databases/open-store.ts'
import { pausingProxy } from '../../../test/databases/pausing-proxy.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { isOutcomeUnknown } from '../dialect.ts'
import { openDatabase } from '../open.ts'

test.runIf(testEngine === 'postgres')(
  'a connection that listens for long keeps nothing of the questions whether it answers',
  async () => {
    const { url, dataDir } = await openStore()
    const listening = await openDatabase({ url, dataDir, timeouts: { beat: 1 } })
    onTestFinished(() => listening.close())
    await pause(1500)
    // Some 2,000 questions. Each kept 312 bytes once.
    expect(await bytesKeptBy(() => pause(3000))).toBeLessThan(200_000)
  },
)

test.runIf(testEngine === 'postgres')(
  'a server that does not receive the signals of others says so once, keeps what it has read for half a second only, and receives them again as soon as it can',
  async () => {
    const { url = '', dataDir, store } = await openStore()
    const { proxy, through } = await proxyTo(url)
    const reported: string[] = []
    const other = await openDatabase({
      url,
      listenUrl: through,
      dataDir,
      timeouts: { beat: 200, answer: 2000, connect: 300, signals: 500 },
      report: (error) => reported.push(String(error)),
    })
    onTestFinished(() => other.close())
    const received: unknown[] = []
    other.signals.on('clients', (payload) => received.push(payload))
    expect(other.signals.maxAge).toBe(60_000)
    proxy.pause()
    await store.signals.announce('clients', 'missed')
    await expect.poll(() => other.signals.maxAge).toBe(500)
    expect(other.signals.missing).toBeGreaterThan(0)
    await expect.poll(() => reported).toEqual(['Error: Signals of other servers do not arrive'])
    await pause(3000)
    expect(reported).toHaveLength(1)
    expect(received).toEqual([])
    proxy.resume(true)
    await expect.poll(() => received).toEqual([undefined])
    expect(other.signals.maxAge).toBe(60_000)
    expect(other.signals.missing).toBe(0)
    await expect
      .poll(async () => {
        await store.signals.announce('clients', 'after')
        return received
      })
      .toContain('after')
  },
)

test.runIf(testEngine === 'postgres')(
  'a server ends at once, although the database does not answer the connection that is to listen',
  async () => {
    const { url = '', dataDir } = await openStore()
    const { proxy, through } = await proxyTo(url)
    const timeouts = { answer: 20_000, connect: 20_000, beat: 20_000 }
    const other = await openDatabase({ url, listenUrl: through, dataDir, timeouts })
    proxy.cut()
    await expect.poll(() => other.signals.maxAge).toBe(500)
    proxy.resume(true)
    proxy.pause()
    // An attempt begins every 200 ms.
    await pause(1000)
    const began = performance.now()
    await other.close()
    expect(performance.now() - began).toBeLessThan(timeouts.answer)
  },
)

test.runIf(testEngine === 'postgres')(
  'a server receives its own signal once, also when the answer to the commit is lost',
  async () => {
    const { url = '', dataDir } = await openStore()
    const { proxy, through } = await proxyTo(url)
    const store = await openDatabase({ url: through, listenUrl: url, dataDir, timeouts: { close: 500 } })
    onTestFinished(() => store.close())
    const received: unknown[] = []
    store.signals.on('clients', (payload) => received.push(payload))
    const lost = store.transaction(async () => {
      await store.signals.announce('clients', 'one')
      proxy.loseNextAnswer()
    })
    await expect(lost).rejects.toSatisfy(isOutcomeUnknown)
    await expect.poll(() => received).toEqual(['one'])
    await store.transaction(async () => {
      for (let times = 0; times < 3; times += 1) await store.signals.announce('clients', 'two')
    })
    await store.signals.announce('clients', 'three')
    await expect.poll(() => received).toContain('three')
    // No signal arrives twice.
    await pause(500)
    expect(received).toEqual(['one', 'two', 'three'])
  },
)

/** A proxy, and the address of the database through it. */
async function proxyTo(url: string) {
  const through = new URL(url)
  const proxy = await pausingProxy({ host: through.hostname, port: Number(through.port) })
  through.host = `127.0.0.1:${proxy.port}`
  return { proxy, through: through.href }
}
