import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import * as adminUsers from '@vrata/contract/admin-users'
import type { Group } from '@vrata/contract/groups'
import { hasRole } from '@vrata/contract/operator-roles'
import { paths } from '@vrata/contract/page-addresses'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Checkbox } from '../../ui/form/switch.tsx'
import { groupOptions } from './people-queries.ts'
import { usePersonFields } from './person-account.tsx'

/** Creates an account and mails its person the link. */
export function AddPersonButton() {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()
  const fields = usePersonFields()
  const { operator_role } = useUser()
  const { data: known = [] } = useQuery(groupOptions(context))
  // Groups open apps, so administrators alone give them.
  const choice = operator_role === 'admin' ? known : []
  if (!hasRole(operator_role, 'support')) return null

  const add = () =>
    showDialog({
      title: t('admin-users.add'),
      message: t('admin-users.add.text'),
      fields: [
        ...fields({}),
        ...(choice.length > 0 ? [{ kind: 'description' as const, text: <GroupChoice groups={choice} /> }] : []),
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.add') }],
      async onSubmit({ email = '', first_name = '', last_name = '', ...checked }) {
        const chosen = choice.map(({ key }) => key).filter((key) => checked[nameOf(key)])
        const person = { email, first_name, last_name, ...(chosen.length > 0 ? { groups: chosen } : {}) }
        const answer = await context.api(adminUsers.createUser, person)
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

const nameOf = (key: string) => `group.${key}`

/** The groups that the new account is added to. */
function GroupChoice({ groups: known }: { groups: readonly Group[] }) {
  const { t } = useI18n()
  return (
    <fieldset className="min-w-0 text-ink">
      <legend className="mb-1 font-semibold">{t('admin-users.groups')}</legend>
      {known.map(({ key, name }) => (
        <Checkbox key={key} name={nameOf(key)} label={name} />
      ))}
    </fieldset>
  )
}
