import type { Answer } from '@vrata/contract'
import type { AdminOrganizationDetails } from '@vrata/contract/admin-organizations'
import * as adminOrganizations from '@vrata/contract/admin-organizations'
import { LIMITS } from '@vrata/contract/limits'
import { changedFrom } from '../../lib/api/changed-from.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useDecision } from '../../lib/approval/decision.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { organizationQuery } from './organization-queries.ts'

const DECIDED = ['enabled', 'verified'] as const
const LIMITED = ['clients', 'members'] as const

type Member = AdminOrganizationDetails['member_list'][number]

/** Changes of an organization by administrators, each after a dialog. */
export function useOrganizationChange(organization: AdminOrganizationDetails) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const { decisionFields, decisionIn, decide: askDecision } = useDecision()
  const { id, limits, approval } = organization

  async function finish(answer: Answer<AdminOrganizationDetails>) {
    const { queryKey } = organizationQuery(context, id)
    if (!answer.ok) {
      // It may have been changed or deleted meanwhile.
      void context.queries.invalidateQueries({ queryKey })
      return formErrors(answer)
    }
    context.queries.setQueryData(queryKey, answer.data)
    await context.queries.invalidateQueries({ queryKey: [adminOrganizations.listAdminOrganizations.path] })
    toast(t('admin-organizations.changed'))
    return undefined
  }

  const yesNo = [
    { value: 'true', label: t('admin-organizations.yes') },
    { value: 'false', label: t('admin-organizations.no') },
  ]
  const change = () =>
    showDialog({
      title: t('admin-organizations.change.title', { name: organization.name }),
      fields: [
        ...DECIDED.map((name) => ({
          kind: 'select' as const,
          name,
          label: t(`admin-organizations.${name}`),
          hint: t(`admin-organizations.${name}.hint`),
          value: String(organization[name]),
          options: yesNo,
        })),
        ...LIMITED.map((name) => ({
          kind: 'text' as const,
          name,
          label: t(`admin-organizations.limit.${name}`),
          hint: t('admin-organizations.limit.hint'),
          value: limits[name] === null ? '' : String(limits[name]),
          pattern: `[0-9]{1,5}|${LIMITS.organization_quota}`,
          invalid: t('admin-organizations.limit.invalid', { max: LIMITS.organization_quota }),
        })),
        ...(approval === null ? decisionFields(approval) : []),
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async onSubmit(values) {
        const [enabled, verified] = DECIDED.map((name) => values[name] === 'true')
        const limitOf = (name: (typeof LIMITED)[number]) => (values[name] ? Number(values[name]) : null)
        const changed = changedFrom(limits, { clients: limitOf('clients'), members: limitOf('members') })
        return await finish(
          await context.api(adminOrganizations.updateAdminOrganization, {
            id,
            ...changedFrom(organization, { enabled, verified }),
            ...(Object.keys(changed).length > 0 ? { limits: changed } : {}),
            ...(approval === null ? decisionIn(values, approval) : {}),
          }),
        )
      },
    })

  const transfer = ({ user }: Member) =>
    showDialog({
      title: t('admin-organizations.transfer'),
      message: t('admin-organizations.transfer.text', { name: accountName(user) }),
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-organizations.transfer') }],
      onSubmit: async () =>
        await finish(await context.api(adminOrganizations.transferOrganization, { id, user_id: user.id })),
    })

  const decide = () =>
    askDecision(organization, async (decision) =>
      finish(await context.api(adminOrganizations.updateAdminOrganization, { id, ...decision })),
    )

  return { change, decide, transfer }
}
