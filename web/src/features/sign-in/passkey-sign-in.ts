import { signIn } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { errorMessageOf } from '../../lib/api/form-errors.ts'
import type { AppContext } from '../../lib/app-context.tsx'
import { cancelPasskeyRequest, requestPasskey, supportsPasskeyAutofill } from '../../lib/passkeys/passkeys.ts'

export type PasskeySignInResult = { user: UserInfo } | { failed: string | undefined }

/** Signs in with a passkey, or returns a localized error. */
export async function signInWithPasskey(context: AppContext): Promise<PasskeySignInResult> {
  await context.i18n.load(['second-factor'])
  return await ceremony(context, false)
}

/** Offers passkeys as autofill until the returned function is called. Reports an error only after a choice. */
export function suggestPasskeys(context: AppContext, done: (outcome: PasskeySignInResult) => unknown): () => void {
  let active = true
  void supportsPasskeyAutofill().then(async (supported) => {
    if (!supported || !active) return
    const outcome = await ceremony(context, true)
    if (active) done(outcome)
  })
  return () => {
    active = false
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
