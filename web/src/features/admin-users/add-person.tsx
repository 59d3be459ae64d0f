import { useRouter } from '@tanstack/react-router'
import * as adminUsers from '@vrata/contract/admin-users'
import { hasRole } from '@vrata/contract/operator-roles'
import { paths } from '@vrata/contract/page-addresses'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { usePersonFields } from './person-account.tsx'

/** Creates an account and mails its person the link. */
export function AddPersonButton() {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()
  const fields = usePersonFields()
  const { operator_role } = useUser()
  if (!hasRole(operator_role, 'support')) return null

  const add = () =>
    showDialog({
      title: t('admin-users.add'),
      message: t('admin-users.add.text'),
      fields: fields({}),
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.add') }],
      async onSubmit({ email = '', first_name = '', last_name = '' }) {
        const answer = await context.api(adminUsers.createUser, { email, first_name, last_name })
        if (!answer.ok && answer.problem.code === 'email_exists')
          return { fields: { email: t('admin-users.add.taken') } }
        if (!answer.ok) return formErrors(answer)
        await context.queries.invalidateQueries({ queryKey: [adminUsers.listAdminUsers.path] })
        toast(t('admin-users.add.done'))
        await router.navigate({ href: paths.adminPerson(answer.data.id) })
        return undefined
      },
    })
  return <Button onClick={() => void add()}>{t('admin-users.add')}</Button>
}
