import { expect, test, vi } from 'vitest'
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

test('reports that the code of passkeys cannot be loaded', async () => {
  vi.stubGlobal('PublicKeyCredential', () => {})
  vi.doMock('@simplewebauthn/browser', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  const options = {} as Parameters<typeof requestPasskey>[0]
  expect(await requestPasskey(options)).toEqual({ ok: false, why: 'failed' })
  vi.doUnmock('@simplewebauthn/browser')
  vi.unstubAllGlobals()
})

test('reports a browser without passkeys', async () => {
  const options = { challenge: 'YQ', rpId: 'localhost', timeout: 1, allowCredentials: [], userVerification: 'required' }
  expect(await requestPasskey(options as Parameters<typeof requestPasskey>[0])).toEqual({
    ok: false,
    why: 'unsupported',
  })
})
