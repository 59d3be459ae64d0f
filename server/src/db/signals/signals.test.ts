import { expect, onTestFinished, test } from 'vitest'
import { breakConnections } from '../../../test/databases/break-connections.ts'
import { openStore } from '../../../test/databases/open-store.ts'
import { openDatabase } from '../open.ts'

test('a signal of a transaction is delivered after its commit, never after a rollback', async () => {
  const { store } = await openStore()
  const received: unknown[] = []
  store.signals.on('clients', (payload) => received.push(payload))
  await store.transaction(async () => {
    await store.signals.announce('clients', 'one')
    expect(received).toEqual([])
  })
  expect(received).toEqual(['one'])
  await store
    .transaction(async () => {
      await store.signals.announce('clients', 'undone')
      throw new Error('no')
    })
    .catch(() => {})
  await store.signals.announce('clients', 'two')
  await store.signals.announce('keys', 'another channel')
  expect(received).toEqual(['one', 'two'])
})

test('a removed listener is not called; one that throws does not affect others', async () => {
  const { store, reported } = await openStore()
  const received: unknown[] = []
  const stop = store.signals.on('keys', (payload) => received.push(payload))
  store.signals.on('keys', () => {
    throw new Error('deaf')
  })
  await store.signals.announce('keys', 'a')
  stop()
  await store.signals.announce('keys', 'b')
  expect(received).toEqual(['a'])
  expect(reported).toHaveLength(2)
})

test('another server receives a signal once, and a reset when signals may be missing', async (context) => {
  const { store, url, dataDir } = await openStore()
  if (store.engine === 'sqlite') return context.skip('one process has no other server')
  const other = await openDatabase({ url, dataDir })
  onTestFinished(() => other.close())
  const received: unknown[] = []
  other.signals.on('clients', (payload) => received.push(payload))
  await store.transaction(() => store.signals.announce('clients', 'one'))
  await expect.poll(() => received).toEqual(['one'])
  await breakConnections(store.db)
  await expect.poll(() => received).toEqual(['one', undefined])
  await expect
    .poll(async () => {
      await store.signals.announce('clients', 'two')
      return received
    })
    .toContain('two')
})
