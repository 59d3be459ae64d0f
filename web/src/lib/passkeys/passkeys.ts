import type { DataOf, NewPasskey, PasskeyAssertion, security, signIn } from '@vrata/contract'
import { passkeysSupported } from './passkeys-supported.ts'

/** Why no passkey was created or used; `second-factor.passkey.*` has the messages. */
export type PasskeyFailure = 'canceled' | 'unsupported' | 'already_added' | 'no_lock' | 'wrong_site' | 'failed'

export type Ceremony<T> = { ok: true; response: T } | { ok: false; why: PasskeyFailure }

type CreationOptions = DataOf<typeof security.passkeyOptions>
type RequestOptions = DataOf<typeof signIn.passkeyLoginOptions>
type Library = typeof import('@simplewebauthn/browser')

const load = (): Promise<Library> => import('@simplewebauthn/browser')

/** Preloads the library, so that the prompt opens without delay. */
export function preloadPasskeys(): void {
  if (passkeysSupported()) void load()
}

/** Creates a passkey. */
export function createPasskey(options: CreationOptions): Promise<Ceremony<NewPasskey>> {
  return ceremony(({ startRegistration }) =>
    startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
  )
}

/** Requests a passkey; with `autofill` as a suggestion in the username field. */
export function requestPasskey(
  options: RequestOptions,
  { autofill = false } = {},
): Promise<Ceremony<PasskeyAssertion>> {
  return ceremony(({ startAuthentication }) =>
    startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
      useBrowserAutofill: autofill,
    }),
  )
}

/** Whether the browser supports passkey autofill. */
export async function supportsPasskeyAutofill(): Promise<boolean> {
  return passkeysSupported() && (await (await load()).browserSupportsWebAuthnAutofill())
}

/** Cancels {@link requestPasskey}: a page can have only one pending request. */
export async function cancelPasskeyRequest(): Promise<void> {
  if (passkeysSupported()) (await load()).WebAuthnAbortService.cancelCeremony()
}

async function ceremony<T>(run: (library: Library) => Promise<unknown>): Promise<Ceremony<T>> {
  if (!passkeysSupported()) return { ok: false, why: 'unsupported' }
  try {
    return { ok: true, response: (await run(await load())) as T }
  } catch (error) {
    return { ok: false, why: passkeyFailureOf(error) }
  }
}

/** Reason of a browser error (WebAuthn Level 3 §5.1.3 and §5.1.4). */
export function passkeyFailureOf(error: unknown): PasskeyFailure {
  const { code, name } = error as { code?: string; name?: string }
  switch (code) {
    case 'ERROR_CEREMONY_ABORTED':
      return 'canceled'
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return 'already_added'
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
      return 'no_lock'
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return 'wrong_site'
  }
  // Cancellation and timeout are indistinguishable, so that pages cannot detect passkeys.
  if (name === 'NotAllowedError' || name === 'AbortError') return 'canceled'
  if (name === 'NotSupportedError') return 'unsupported'
  return 'failed'
}
