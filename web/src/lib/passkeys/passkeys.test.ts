import { expect, test } from 'vitest'
import { passkeyFailureOf, requestPasskey } from './passkeys.ts'

test.each([
  [{ code: 'ERROR_CEREMONY_ABORTED' }, 'canceled'],
  [{ code: 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', name: 'NotAllowedError' }, 'canceled'],
  [{ code: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED', name: 'InvalidStateError' }, 'already_added'],
  [{ code: 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT', name: 'ConstraintError' }, 'no_lock'],
  [{ code: 'ERROR_INVALID_RP_ID', name: 'SecurityError' }, 'wrong_site'],
  [{ name: 'NotSupportedError' }, 'unsupported'],
  [new Error('something else'), 'failed'],
] as const)('maps the error %o to %s', (error, why) => expect(passkeyFailureOf(error)).toBe(why))

test('reports a browser without passkeys', async () => {
  const options = { challenge: 'YQ', rpId: 'localhost', timeout: 1, allowCredentials: [], userVerification: 'required' }
  expect(await requestPasskey(options as Parameters<typeof requestPasskey>[0])).toEqual({
    ok: false,
    why: 'unsupported',
  })
})
