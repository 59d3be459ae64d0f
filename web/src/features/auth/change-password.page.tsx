import { useParams } from '@tanstack/react-router'
import { ChangePassword } from './change-password.tsx'
import { ResetPassword } from './reset-password.tsx'

/** With a token of a mail for somebody who forgot the password, without one for somebody signed in. */
export function ChangePasswordPage() {
  const { token } = useParams({ strict: false })
  return token === undefined ? <ChangePassword /> : <ResetPassword token={token} />
}
