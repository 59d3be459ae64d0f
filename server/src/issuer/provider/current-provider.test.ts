import { scopes } from '@vrata/contract'
import { expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer } from '../../../test/test-server.ts'
import { makeHandle, partsOfHandle } from '../../db/compiled-queries/handle.ts'
import { LocalSignals } from '../../db/signals/signals.ts'
import { ISSUER_CHANNEL } from '../keys/issuer-channel.ts'
import { readKeyStates, rotateKeys } from '../keys/signing-keys.ts'
import { CurrentProvider } from './current-provider.ts'
import { SCOPES_CHANNEL } from './scopes-channel.ts'

test('the end waits for what is read in the background, so that the database can be closed', async () => {
  const server = await startTestServer()
  const signals = new LocalSignals(() => {})
  const current = await CurrentProvider.open({ ...server.deps, signals })
  const before = current.snapshot()
  await rotateKeys(server.deps, { command: 'vrata keys rotate' })
  signals.tell(ISSUER_CHANNEL, 'rotated')
  await current.close()
  expect(current.snapshot()).not.toBe(before)
  expect(current.snapshot().keyStates).toBe(await readKeyStates(server.store.db))
  await server.close()
  expect(server.logged()).not.toContain('could not be refreshed')
})

test('changes by another server while this one starts are not missed', async () => {
  const server = await startTestServer()
  const ana = await server.as(people.ana)
  const { client_id } = await (await createOrganization(server, ana)).app()
  for (const key of ['notes.read', 'notes.write'])
    good(await ana.call(scopes.defineScope, { id: client_id, key, title: { 'en-US': key } }))
  const signals = new LocalSignals(() => {})
  const { engine, run } = partsOfHandle(server.deps.db)
  let changes = 1
  const db = makeHandle(engine, async (query) => {
    const answer = await run<never>(query)
    // After the scopes are read, and before the signal of one of the keys.
    if (changes === 0 || !query.sql.includes('"signing_keys"')) return answer
    changes -= 1
    await server.store.db.deleteFrom('scopes').where('key', '=', 'notes.read').execute()
    signals.tell(SCOPES_CHANNEL, 'notes.read')
    await rotateKeys(server.deps, { command: 'vrata keys rotate' })
    signals.tell(ISSUER_CHANNEL, 'keys')
    return answer
  })
  const current = await CurrentProvider.open({ ...server.deps, db, signals })
  const { scopes: known, keyStates } = current.snapshot()
  expect([known.has('notes.read'), known.has('notes.write')]).toEqual([false, true])
  expect(keyStates).toBe(await readKeyStates(server.store.db))
  await current.close()
  await server.close()
})
