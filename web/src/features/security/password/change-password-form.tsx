import { security } from '@vrata/contract'
import { type ReactNode, useRef } from 'react'
import { isUnavailable } from '../../../lib/api/call-query.ts'
import { constraintsOf } from '../../../lib/api/constraints.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { loadUser, useUser } from '../../../lib/session.ts'
import { Form } from '../../../ui/form/form.tsx'
import { PasswordField } from '../../../ui/form/password/password-field.tsx'
import { NewPasswordField, newPasswordProblems } from './new-password-field.tsx'

type Props = {
  onChanged: () => void | Promise<void>
  className?: string
  /** Content below the fields, with the submit button. */
  children: ReactNode
}

/** Current and new password of the user (api §3.5). A change ends all other sessions. */
export function ChangePasswordForm({ onChanged, className, children }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const { formErrors } = useFormErrors()
  const before = useRef(user.password_updated_at)
  /** The new password that was sent last without an answer. */
  const unanswered = useRef<string>(undefined)

  async function save({ current_password = '', new_password = '' }: Record<string, string>) {
    const answer = await context.api(security.changePassword, { current_password, new_password })
    if (!answer.ok && isUnavailable(answer.http)) unanswered.current = new_password
    if (!answer.ok && !(unanswered.current === new_password && (await isChanged()))) {
      return formErrors(answer, {
        ...newPasswordProblems('new_password'),
        invalid_password: 'current_password',
      })
    }
    await loadUser(context)
    await onChanged()
  }

  /** Whether the change was made although its answer was lost: it has ended all other sessions, so nobody else has made it. */
  async function isChanged(): Promise<boolean> {
    const found = await loadUser(context)
    return found !== null && found.password_updated_at !== before.current
  }

  return (
    <Form onSubmit={save} className={className}>
      {/* Password managers read the account from this field. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        name="current_password"
        label={t('sign-in.current_password')}
        autoComplete="current-password"
        {...constraintsOf(security.changePassword, 'current_password')}
      />
      <NewPasswordField
        name="new_password"
        label={t('sign-in.new_password')}
        personal={{ email: user.email, names: [user.username, user.first_name, user.last_name] }}
      />
      {children}
    </Form>
  )
}
