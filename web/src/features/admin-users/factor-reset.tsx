import type { AdminUserDetails } from '@vrata/contract/admin-users'
import * as adminUsers from '@vrata/contract/admin-users'
import { LIMITS } from '@vrata/contract/limits'
import { hasRole } from '@vrata/contract/operator-roles'
import { needsPasskeyLink } from '@vrata/contract/sign-in-policy'
import { useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { KeyIcon } from '../../ui/icons/icons.tsx'
import { AttentionCard } from '../../ui/layout/card.tsx'
import { usePersonChange } from './use-person-change.ts'

/** Whether there is anything that a reset removes. */
export function hasFactors({ sign_in_methods: { two_factor, passkeys } }: AdminUserDetails): boolean {
  return two_factor || passkeys > 0
}

/** Whether the person is mailed a link to a new passkey, because no password signs them in. */
function useNeedsPasskeyLink({ sign_in_methods }: AdminUserDetails): boolean {
  const { password_sign_in = true, passkey_sign_in = true } = useAppContext().policy ?? {}
  return needsPasskeyLink({ password_sign_in, passkey_sign_in }, sign_in_methods.password)
}

/** Returns a function that asks how the person was checked, and requests the removal of second factor and passkeys. */
export function useFactorReset(person: AdminUserDetails) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { operator_role } = useUser()
  const finish = usePersonChange(person)
  const link = useNeedsPasskeyLink(person)
  return () =>
    showDialog({
      title: t('admin-users.factors'),
      message: [t('admin-users.factors.text'), link && t('admin-users.factors.link')].filter(Boolean).join(' '),
      fields: [
        {
          kind: 'multiline',
          name: 'reason',
          label: t('admin-users.factors.reason'),
          hint: t('admin-users.factors.reason_hint'),
          required: true,
          maxLength: LIMITS.reason_max,
        },
        ...(operator_role === 'admin'
          ? [
              {
                kind: 'select' as const,
                name: 'when',
                label: t('admin-users.factors.when'),
                options: [
                  { value: 'wait', label: t('admin-users.factors.when.wait') },
                  { value: 'now', label: t('admin-users.factors.when.now') },
                ],
              },
            ]
          : []),
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.factors') }],
      danger: true,
      async onSubmit({ reason = '', when }) {
        const immediately = when === 'now'
        const input = { id: person.id, reason: reason.replace(/\s+/g, ' '), ...(immediately && { immediately }) }
        const answer = await api(adminUsers.resetFactors, input)
        const done = immediately ? 'removed' : 'requested'
        return await finish(answer, t(`admin-users.factors.${done}${link ? '_link' : ''}`))
      },
    })
}

/** Says that a reset waits, who asked for it, and cancels it. */
export function FactorResetCard({ person }: { person: AdminUserDetails }) {
  const { t, format } = useI18n()
  const { api } = useAppContext()
  const { operator_role } = useUser()
  const finish = usePersonChange(person)
  const reset = person.factor_reset
  if (!reset) return null
  const { reason, requested_by } = reset
  const when = parseServerTime(reset.due_at)
  const mayCancel = hasRole(operator_role, person.operator_role === null ? 'support' : 'admin')
  const cancel = () =>
    showDialog({
      title: t('admin-users.factors.cancel'),
      message: t('admin-users.factors.cancel.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.factors.cancel') }],
      onSubmit: async () =>
        finish(await api(adminUsers.cancelFactorReset, { id: person.id }), t('admin-users.factors.cancel.done')),
    })
  return (
    <AttentionCard
      title={t('admin-users.factors.waiting', { when: format.dateTime(when) })}
      text={
        requested_by.name
          ? t('admin-users.factors.asked', { name: requested_by.name, reason })
          : t('admin-users.factors.asked_gone', { reason })
      }
      icon={<KeyIcon />}
      action={mayCancel && <Button onClick={() => void cancel()}>{t('admin-users.factors.cancel')}</Button>}
    />
  )
}
