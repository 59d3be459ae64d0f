import { expect, test } from 'vitest'
import { askForPasskey, failureOf } from './passkeys.ts'

test.each([
  [{ code: 'ERROR_CEREMONY_ABORTED' }, 'cancelled'],
  [{ code: 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', name: 'NotAllowedError' }, 'cancelled'],
  [{ code: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED', name: 'InvalidStateError' }, 'already_added'],
  [{ code: 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT', name: 'ConstraintError' }, 'no_lock'],
  [{ code: 'ERROR_INVALID_RP_ID', name: 'SecurityError' }, 'wrong_site'],
  [{ name: 'NotSupportedError' }, 'unsupported'],
  [new Error('something else'), 'failed'],
] as const)('the failure %o of a passkey is told as %s', (error, why) => expect(failureOf(error)).toBe(why))

test('a browser without passkeys says so', async () => {
  const options = { challenge: 'YQ', rpId: 'localhost', timeout: 1, allowCredentials: [], userVerification: 'required' }
  expect(await askForPasskey(options as Parameters<typeof askForPasskey>[0])).toEqual({ ok: false, why: 'unsupported' })
})
