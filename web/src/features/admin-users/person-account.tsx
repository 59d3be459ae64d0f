import type { AdminUserDetails } from '@vrata/contract/admin-users'
import * as adminUsers from '@vrata/contract/admin-users'
import { LIMITS } from '@vrata/contract/limits'
import { changedFrom } from '../../lib/api/changed-from.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { usePersonChange } from './use-person-change.ts'

/** Fields of the dialogs that add and change a person. */
export function usePersonFields() {
  const { t } = useI18n()
  return ({ email, first_name, last_name }: Partial<Pick<AdminUserDetails, 'email' | 'first_name' | 'last_name'>>) => [
    {
      kind: 'text' as const,
      type: 'email' as const,
      name: 'email',
      label: t('admin-users.add.email'),
      required: true,
      ...(email === undefined ? {} : { value: email }),
    },
    ...(['first_name', 'last_name'] as const).map((name) => ({
      kind: 'text' as const,
      name,
      label: t(`admin-users.add.${name}`),
      optional: t('menu.optional'),
      maxLength: LIMITS.name_max,
      value: { first_name, last_name }[name] ?? '',
    })),
  ]
}

/** Actions of an administrator on the account: names and address, deletion, and undoing them. */
export function usePersonAccount(person: AdminUserDetails) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const fields = usePersonFields()
  const finish = usePersonChange(person)
  const { id } = person

  const edit = () =>
    showDialog({
      title: t('admin-users.edit'),
      message: t('admin-users.edit.text'),
      fields: fields(person),
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async onSubmit({ email = '', first_name = '', last_name = '' }) {
        const typed = { email: email.trim(), first_name: first_name.trim(), last_name: last_name.trim() }
        const answer = await api(adminUsers.updateUser, { id, ...changedFrom(person, typed) })
        if (!answer.ok && answer.problem.code === 'email_exists')
          return { fields: { email: t('admin-users.add.taken') } }
        return await finish(answer, t('admin-users.edit.done'))
      },
    })

  const remove = () =>
    showDialog({
      title: t('admin-users.delete.ask', { name: accountName(person) }),
      message: t('admin-users.delete.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.delete') }],
      danger: true,
      async onSubmit() {
        const answer = await api(adminUsers.deleteUser, { id })
        if (answer.ok || answer.problem.code !== 'last_owner') return await finish(answer, t('admin-users.delete.done'))
        const organizations = String(answer.problem.params?.organizations ?? '')
        return { message: t('admin-users.delete.last_owner', { organizations }) }
      },
    })

  const restore = () =>
    showDialog({
      title: t('admin-users.restore'),
      message: t('admin-users.restore.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.restore') }],
      onSubmit: async () => finish(await api(adminUsers.restoreUser, { id }), t('admin-users.restore.done')),
    })

  const keepAddress = () =>
    showDialog({
      title: t('admin-users.keep'),
      message: t('admin-users.keep.text', { email: person.email, pending_email: person.pending_email ?? '' }),
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.keep') }],
      onSubmit: async () =>
        finish(await api(adminUsers.updateUser, { id, pending_email: null }), t('admin-users.keep.done')),
    })

  return { edit, remove, restore, keepAddress }
}
