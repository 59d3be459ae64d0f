import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { findProgram } from '../../cluster/program.ts'
import { seedInstallation } from '../../installation.ts'
import { median } from '../../measure.ts'
import { clientCredentials } from '../../operations/workloads.ts'
import { startVrata } from '../../targets.ts'
import { integrityOf, type OneServerDrill, underLoad } from './one-server.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 100)
const RESTARTS = 20
const STRACE = findProgram('/usr/bin/strace', '/usr/local/bin/strace')
/** Requirements that are missing for drills that use strace. */
export const needsStrace = () => (STRACE ? undefined : 'strace is not installed (Debian: apt-get install strace)')

/** System calls of a process, attached while it runs. `stop` detaches. */
export async function trace(pid: number, args: string[]): Promise<{ stop(): Promise<void> }> {
  const strace = spawn(STRACE ?? 'strace', ['-f', ...args, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(strace, 'exit')
  let said = ''
  const attached = new Promise<void>((resolve) => {
    strace.stderr.on('data', (chunk) => {
      said += String(chunk)
      if (said.includes('attached')) resolve()
    })
  })
  await Promise.race([attached, ended.then(() => Promise.reject(new Error(`strace: ${said}`)))])
  return {
    async stop() {
      strace.kill('SIGINT')
      await ended
    },
  }
}

export const CRASH_DRILLS: Record<string, OneServerDrill> = {
  'killed-while-writing': {
    says: `a server with SQLite is killed ${ROUNDS} times at a random time and started again (SIGKILL; ROUNDS sets another number)`,
    async run() {
      const ready: number[] = []
      const { figures, seen } = await underLoad({
        workers: 8,
        async damage(target) {
          for (let round = 0; round < ROUNDS; round += 1) {
            await pause(200 + Math.random() * 2800)
            ready.push(await target.crash())
          }
          return { kills: ready.length, ready_ms: median(ready), ready_longest_ms: Math.max(...ready) }
        },
        afterwards: integrityOf,
      })
      return { figures, seen, wanted: { 'the file is well': seen.integrity === 'ok' } }
    },
  },
  restarted: {
    says: `a server with SQLite is restarted ${RESTARTS} times (SIGTERM), as a supervisor does for an upgrade`,
    async run() {
      const { figures, seen } = await underLoad({
        settings: { VRATA_DRAIN_SECONDS: '1' },
        async damage(target) {
          const gaps: number[] = []
          for (let turn = 0; turn < RESTARTS; turn += 1) {
            const watched = longestGap(`${target.url}/healthz`)
            await target.restart()
            await pause(1_000)
            gaps.push(await watched.stop())
          }
          return { restarts: RESTARTS, gap_ms: median(gaps), gap_longest_ms: Math.max(...gaps) }
        },
        afterwards: integrityOf,
      })
      const noConnection = Object.keys(figures.failures).every((one) => /^ECONN/.test(one))
      const wanted = {
        'the file is well': seen.integrity === 'ok',
        'nobody waits longer than 2 s': Number(seen.gap_longest_ms) <= 2000,
        'nothing fails but new connections': noConnection,
      }
      return { figures, seen, wanted }
    },
  },
  'power-loss-order': {
    says: 'SQLite has flushed what a request wrote before the answer leaves, seen in the system calls (strace)',
    missing: needsStrace,
    async run() {
      const REQUESTS = 300
      const folder = mkdtempSync(join(tmpdir(), 'vrata-trace-'))
      const file = join(folder, 'calls')
      const target = await startVrata()
      try {
        const write = await clientCredentials(await seedInstallation(target))
        for (let i = 0; i < 20; i += 1) await write()
        const calls = 'trace=pwrite64,fdatasync,fsync,write,writev'
        const traced = await trace(target.pid, ['-y', '-s', '16', '-e', calls, '-o', file])
        let done = 0
        for (let i = 0; i < REQUESTS; i += 1) if (await write()) done += 1
        await traced.stop()
        const { answers, early } = await answersIn(file)
        const wanted = {
          'every answer was seen': answers >= done && done === REQUESTS,
          'none leaves before': early === 0,
        }
        return { seen: { requests: done, answers, before_the_flush: early }, wanted }
      } finally {
        await target.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  },
}

/** Asks again and again; `stop` resolves with the longest time between two answers, in milliseconds. */
function longestGap(url: string): { stop(): Promise<number> } {
  let stopped = false
  let longest = 0
  let last = performance.now()
  const asking = (async () => {
    while (!stopped) {
      if (await fetch(url).catch(() => undefined)) {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }
      await pause(10)
    }
  })()
  return {
    async stop() {
      stopped = true
      await asking
      return Math.round(longest)
    },
  }
}

/** Counts answers with success, and those that left with something unflushed or without that anything was flushed for them. */
async function answersIn(file: string): Promise<{ answers: number; early: number }> {
  let answers = 0
  let early = 0
  let unflushed = 0
  let flushed = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) unflushed += 1
    // When another thread interrupts a call, only the line at the end of the call counts.
    else if (/(fdatasync|fsync)\(\d+<[^>]*-wal>\)\s+= 0/.test(line) || /<\.\.\. f(data)?sync resumed>/.test(line)) {
      flushed += unflushed
      unflushed = 0
    } else if (/writev?\(\d+<[^>]*>.*HTTP\/1\.1 200/.test(line)) {
      answers += 1
      if (unflushed > 0 || flushed === 0) early += 1
      flushed = 0
    }
  }
  return { answers, early }
}
