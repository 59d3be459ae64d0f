import { auth } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { askForPasskey, autofillsPasskeys, stopAskingForPasskey } from '../../lib/passkeys.ts'
import { sentenceOf } from '../../lib/refusal.ts'
import type { Wires } from '../../lib/wires.tsx'

export type Outcome = { user: UserInfo } | { failed: string | undefined }

/** Signs in with a passkey, or tells in the person's words why nothing came of it. */
export async function passkeySignIn(wires: Wires): Promise<Outcome> {
  await wires.i18n.load(['proof'])
  return await ceremony(wires, false)
}

/** Lets the field of the user name suggest passkeys until `stop` is called; without words unless one was chosen. */
export function suggestPasskeys(wires: Wires, done: (outcome: Outcome) => void): () => void {
  let wanted = true
  void autofillsPasskeys().then(async (able) => {
    if (!able || !wanted) return
    const outcome = await ceremony(wires, true)
    if (wanted) done(outcome)
  })
  return () => {
    wanted = false
    void stopAskingForPasskey()
  }
}

async function ceremony(wires: Wires, autofill: boolean): Promise<Outcome> {
  const { t } = wires.i18n.now()
  const options = await wires.api(auth.passkeyLoginOptions)
  if (!options.ok) return { failed: autofill ? undefined : sentenceOf({ t }, options) }
  const asked = await askForPasskey(options.data, { autofill })
  // Whoever has chosen nothing among the suggestions has not failed at anything.
  if (!asked.ok) return { failed: autofill ? undefined : t(`proof.passkey.${asked.why}`) }
  const answer = await wires.api(auth.passkeyLogin, { response: asked.response })
  return answer.ok ? { user: answer.data.user } : { failed: sentenceOf({ t }, answer) }
}
