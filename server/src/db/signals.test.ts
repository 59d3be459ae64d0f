import { expect, onTestFinished, test } from 'vitest'
import { breakConnections } from '../../test/break-connections.ts'
import { openStore } from '../../test/open-store.ts'
import { openDatabase } from './open.ts'

test('an announcement in a transaction is heard after its commit, and never after a rollback', async () => {
  const { store } = await openStore()
  const heard: unknown[] = []
  store.signals.on('clients', (payload) => heard.push(payload))
  await store.transaction(async () => {
    await store.signals.announce('clients', 'one')
    expect(heard).toEqual([])
  })
  expect(heard).toEqual(['one'])
  await store
    .transaction(async () => {
      await store.signals.announce('clients', 'undone')
      throw new Error('no')
    })
    .catch(() => {})
  await store.signals.announce('clients', 'two')
  await store.signals.announce('keys', 'another channel')
  expect(heard).toEqual(['one', 'two'])
})

test('a listener that stopped hears nothing, one that throws disturbs nobody', async () => {
  const { store, reported } = await openStore()
  const heard: unknown[] = []
  const stop = store.signals.on('keys', (payload) => heard.push(payload))
  store.signals.on('keys', () => {
    throw new Error('deaf')
  })
  await store.signals.announce('keys', 'a')
  stop()
  await store.signals.announce('keys', 'b')
  expect(heard).toEqual(['a'])
  expect(reported).toHaveLength(2)
})

test('the other server hears it once, and is told to forget when it may have missed something', async (context) => {
  const { store, url, dataDir } = await openStore()
  if (store.engine === 'sqlite') return context.skip('one process has no other server')
  const other = await openDatabase({ url, dataDir })
  onTestFinished(() => other.close())
  const heard: unknown[] = []
  other.signals.on('clients', (payload) => heard.push(payload))
  await store.transaction(() => store.signals.announce('clients', 'one'))
  await expect.poll(() => heard).toEqual(['one'])
  await breakConnections(store.db)
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['one', undefined])
  await expect
    .poll(
      async () => {
        await store.signals.announce('clients', 'two')
        return heard
      },
      { timeout: 5000 },
    )
    .toContain('two')
})
