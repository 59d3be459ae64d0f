import { account } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { useI18n } from '../../lib/i18n.tsx'
import { type Refusal, useRefusal } from '../../lib/refusal.ts'
import { currentUser, setUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { toast } from '../../ui/toast.ts'
import type { Changes } from './questions.ts'

/** Saves what an entry's dialog changed, says so, and offers to undo it. Answers what stands against it. */
export function useSave() {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal, sentence } = useRefusal()

  async function send(changes: Changes) {
    const { language, ...rest } = changes
    // The language of the page goes along with that of the account.
    if (language?.[0]) return await wires.changeLanguage(language[0], language)
    const answer = await wires.api(account.updateAccount, rest)
    if (!answer.ok) return answer
    setUser(wires, answer.data)
  }

  async function undo(before: Changes) {
    const failed = await send(before)
    if (failed) toast(sentence(failed))
  }

  return async function save(changes: Changes): Promise<Refusal | undefined> {
    const user = currentUser(wires)
    if (!user) return
    const before = undoing(user, changes)
    if (!before) return
    const failed = await send(changes)
    if (failed?.problem.code === 'email_exists') return { fields: { email: t('problems.field.taken') } }
    if (failed?.problem.fields?.phone_number) return { fields: { phone_number: t('account.phone.invalid') } }
    if (failed) return refusal(failed, { username_taken: 'username' })
    // In the new language, if it has changed.
    const now = wires.i18n.now()
    const words = changes.email ? now.t('account.email.sent', { email: changes.email }) : now.t('account.saved')
    toast(words, { label: now.t('account.undo'), run: () => void undo(before) })
  }
}

/** What brings back the entries as they are; nothing when the changes change nothing. */
export function undoing(user: UserInfo, { email, ...changes }: Changes): Changes | undefined {
  if (email !== undefined) {
    // A link to another address that had waited is void by then and cannot be brought back.
    return email === user.pending_email ? undefined : { pending_email: null }
  }
  const names = Object.keys(changes) as (keyof typeof changes)[]
  const before = Object.fromEntries(names.map((name) => [name, user[name]]))
  return JSON.stringify(before) === JSON.stringify(changes) ? undefined : before
}
