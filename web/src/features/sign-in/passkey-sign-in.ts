import { signIn } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { errorMessageOf } from '../../lib/api/form-errors.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { cancelPasskeyRequest, requestPasskey, supportsPasskeyAutofill } from '../../lib/passkeys/passkeys.ts'
import { whenVisible } from '../../lib/when-visible.ts'

export type PasskeySignInResult = { user: UserInfo } | { failed: string | undefined }

/** Signs in with a passkey, or returns a localized error. */
export async function signInWithPasskey(context: AppContext): Promise<PasskeySignInResult> {
  await context.i18n.load(['second-factor'])
  return await ceremony(context, false)
}

/** Milliseconds for which suggestions have the same challenge; it ends a minute later. */
const SUGGESTED = (LIFETIMES.passkey_challenge - 60) * 1000

/**
 * Offers passkeys as autofill until the returned function is called, also on a page that stays open for longer than a challenge. Reports an error
 * only after a choice.
 */
export function suggestPasskeys(context: AppContext, done: (outcome: PasskeySignInResult) => unknown): () => void {
  let active = true
  let timer: ReturnType<typeof setTimeout> | undefined

  async function suggest() {
    let waits = true
    timer = setTimeout(async () => {
      await whenVisible()
      if (!active || !waits) return
      waits = false
      await cancelPasskeyRequest()
      if (active) void suggest()
    }, SUGGESTED)
    const outcome = await ceremony(context, true)
    if (!active || !waits) return
    waits = false
    clearTimeout(timer)
    done(outcome)
  }

  void supportsPasskeyAutofill().then((supported) => {
    if (supported && active) void suggest()
  })
  return () => {
    active = false
    clearTimeout(timer)
    void cancelPasskeyRequest()
  }
}

async function ceremony(context: AppContext, autofill: boolean): Promise<PasskeySignInResult> {
  const { t } = context.i18n.now()
  const options = await context.api(signIn.passkeyLoginOptions)
  if (!options.ok) return { failed: autofill ? undefined : errorMessageOf(context.i18n.now(), options) }
  const result = await requestPasskey(options.data, { autofill })
  // Choosing no suggestion is not a failure.
  if (!result.ok) return { failed: autofill ? undefined : t(`second-factor.passkey.${result.why}`) }
  const answer = await context.api(signIn.passkeyLogin, { response: result.response })
  return answer.ok ? { user: answer.data.user } : { failed: errorMessageOf(context.i18n.now(), answer) }
}
