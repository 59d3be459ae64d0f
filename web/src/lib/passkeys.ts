import type { auth, DataOf, NewPasskey, PasskeyProof, security } from '@vrata/contract'
import { passkeysSupported } from './passkeys-supported.ts'

/** Why no passkey came of it, as far as a person can do something about it; `proof.passkey.*` says each. */
export type PasskeyFailure = 'cancelled' | 'unsupported' | 'already_added' | 'no_lock' | 'wrong_site' | 'failed'

export type Ceremony<T> = { ok: true; response: T } | { ok: false; why: PasskeyFailure }

type CreationOptions = DataOf<typeof security.passkeyOptions>
type RequestOptions = DataOf<typeof auth.passkeyLoginOptions>
type Library = typeof import('@simplewebauthn/browser')

const load = (): Promise<Library> => import('@simplewebauthn/browser')

/** Fetches what the browser's prompt needs, so that nothing stands between the press and the prompt. */
export function preparePasskeys(): void {
  if (passkeysSupported()) void load()
}

/** The browser makes a passkey and asks the person to allow it. */
export function createPasskey(options: CreationOptions): Promise<Ceremony<NewPasskey>> {
  return ceremony(({ startRegistration }) =>
    startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
  )
}

/** The browser asks for a passkey; with `autofill` silently, among what it suggests for the field of the user name. */
export function askForPasskey(options: RequestOptions, { autofill = false } = {}): Promise<Ceremony<PasskeyProof>> {
  return ceremony(({ startAuthentication }) =>
    startAuthentication({
      optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'],
      useBrowserAutofill: autofill,
    }),
  )
}

/** Whether the browser can suggest passkeys in a field. */
export async function autofillsPasskeys(): Promise<boolean> {
  return passkeysSupported() && (await (await load()).browserSupportsWebAuthnAutofill())
}

/** Ends what {@link askForPasskey} waits for: only one can wait in a page. */
export async function stopAskingForPasskey(): Promise<void> {
  if (passkeysSupported()) (await load()).WebAuthnAbortService.cancelCeremony()
}

async function ceremony<T>(run: (library: Library) => Promise<unknown>): Promise<Ceremony<T>> {
  if (!passkeysSupported()) return { ok: false, why: 'unsupported' }
  const library = await load()
  try {
    return { ok: true, response: (await run(library)) as T }
  } catch (error) {
    return { ok: false, why: failureOf(error) }
  }
}

/** What the browsers throw (WebAuthn Level 3, §5.1.3 and §5.1.4), as the library tells it apart. */
export function failureOf(error: unknown): PasskeyFailure {
  const { code, name } = error as { code?: string; name?: string }
  switch (code) {
    case 'ERROR_CEREMONY_ABORTED':
      return 'cancelled'
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return 'already_added'
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
      return 'no_lock'
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return 'wrong_site'
  }
  // Cancelled and timed out look alike, so that a page cannot tell which passkeys somebody has.
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  if (name === 'NotSupportedError') return 'unsupported'
  return 'failed'
}
