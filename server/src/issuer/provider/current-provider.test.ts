import { expect, test } from 'vitest'
import { startTestServer } from '../../../test/test-server.ts'
import { LocalSignals } from '../../db/signals/signals.ts'
import { ISSUER_CHANNEL } from '../keys/issuer-channel.ts'
import { readKeyStates, rotateKeys } from '../keys/signing-keys.ts'
import { CurrentProvider } from './current-provider.ts'

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
