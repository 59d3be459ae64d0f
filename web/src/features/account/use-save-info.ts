import { account } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { type FormErrors, useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { changeLanguage } from '../../lib/change-language.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { currentUser, setUser } from '../../lib/session.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { Changes } from './info-dialogs.ts'

/** Saves the changes of a dialog, shows a toast with undo, and returns errors for the form. */
export function useSaveInfo() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors, errorMessage } = useFormErrors()

  async function send(changes: Changes) {
    const { language, ...rest } = changes
    // A new preferred language also changes the language of the page.
    if (language?.[0]) return await changeLanguage(context, language[0], language)
    const answer = await context.api(account.updateAccount, rest)
    if (!answer.ok) return answer
    setUser(context, answer.data)
  }

  async function undo(before: Changes) {
    const failed = await send(before)
    if (failed) toast(errorMessage(failed))
  }

  return async function save(changes: Changes): Promise<FormErrors | undefined> {
    const user = currentUser(context)
    if (!user) return
    const changed = changedValues(user, changes)
    const before = previousValues(user, changed)
    if (!before) return
    const failed = await send(changed)
    if (failed?.problem.fields?.phone_number) return { fields: { phone_number: t('account.phone.invalid') } }
    if (failed) return formErrors(failed, { username_taken: 'username' })
    // The toast uses the new language.
    const now = context.i18n.now()
    const words = changes.email ? now.t('account.email.sent', { email: changes.email }) : now.t('account.saved')
    toast(words, { label: now.t('account.undo'), run: () => void undo(before) })
  }
}

/** The changes without values that stay, which the server need not accept again. */
function changedValues(user: UserInfo, { email, ...changes }: Changes): Changes {
  const names = Object.keys(changes) as (keyof typeof changes)[]
  const changed = names.filter((name) => JSON.stringify(user[name]) !== JSON.stringify(changes[name]))
  return {
    ...(email === undefined ? {} : { email }),
    ...Object.fromEntries(changed.map((name) => [name, changes[name]])),
  }
}

/** Values that undo the changes; undefined when nothing changes. */
function previousValues(user: UserInfo, { email, ...changes }: Changes): Changes | undefined {
  if (email !== undefined) {
    // A previous pending address cannot be restored, because its link is void.
    return email === user.pending_email ? undefined : { pending_email: null }
  }
  const names = Object.keys(changes) as (keyof typeof changes)[]
  const before = Object.fromEntries(names.map((name) => [name, user[name]]))
  return JSON.stringify(before) === JSON.stringify(changes) ? undefined : before
}
