import type { AdminUserDetails } from '@vrata/contract/admin-users'
import * as adminUsers from '@vrata/contract/admin-users'
import { LIMITS } from '@vrata/contract/limits'
import { hasRole } from '@vrata/contract/operator-roles'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { hasFactors, useFactorReset } from './factor-reset.tsx'
import { usePersonAccount } from './person-account.tsx'
import { usePersonChange } from './use-person-change.ts'

/** Calls whose dialog asks for nothing but the decision. */
const PLAIN = {
  reset: adminUsers.sendPasswordReset,
  reset_passkey: adminUsers.sendPasswordReset,
  unlock: adminUsers.unlockUser,
  end: adminUsers.endUserSessions,
  enable: adminUsers.enableUser,
} as const

/** Actions of the role `support` for a person, each after a question. */
export function PersonActions({ person }: { person: AdminUserDetails }) {
  const { t } = useI18n()
  const context = useAppContext()
  const finish = usePersonChange(person)
  const resetFactors = useFactorReset(person)
  const account = usePersonAccount(person)
  const { operator_role } = useUser()
  const { id, email, status } = person
  const passwords = context.policy?.password_sign_in ?? true
  // Without passwords a link would get around the passkeys and the second step, which are removed first.
  const link = passwords || status === 'unconfirmed' ? 'reset' : hasFactors(person) ? null : 'reset_passkey'
  if (!hasRole(operator_role, 'support')) return null
  const forbidden = person.operator_role !== null && operator_role !== 'admin'

  const ask = (action: keyof typeof PLAIN) =>
    showDialog({
      title: t(`admin-users.${action}`),
      message: t(`admin-users.${action}.text`, { email }),
      buttons: [{ label: t('ui.cancel') }, { label: t(`admin-users.${action}`) }],
      onSubmit: async () => finish(await context.api(PLAIN[action], { id }), t(`admin-users.${action}.done`)),
    })

  const disable = () =>
    showDialog({
      title: t('admin-users.disable.ask', { name: accountName(person) }),
      message: t('admin-users.disable.text'),
      fields: [
        {
          kind: 'multiline',
          name: 'reason',
          label: t('admin-users.disable.reason'),
          required: true,
          maxLength: LIMITS.reason_max,
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('admin-users.disable') }],
      danger: true,
      onSubmit: async ({ reason = '' }) =>
        finish(
          await context.api(adminUsers.disableUser, { id, reason: reason.replace(/\s+/g, ' ') }),
          t('admin-users.disable.done'),
        ),
    })

  return (
    <Card>
      <CardHead title={t('admin-users.help')} text={t('admin-users.help_text')} />
      <CardBody>
        {forbidden ? (
          <p className="text-muted">{t('admin-users.operator')}</p>
        ) : (
          <div className="flex flex-wrap gap-3">
            {person.disabled ? (
              <Button onClick={() => void ask('enable')}>{t('admin-users.enable')}</Button>
            ) : (
              <>
                {link && <Button onClick={() => void ask(link)}>{t(`admin-users.${link}`)}</Button>}
                <Button onClick={() => void ask('unlock')}>{t('admin-users.unlock')}</Button>
                <Button onClick={() => void ask('end')}>{t('admin-users.end')}</Button>
                {hasFactors(person) && !person.factor_reset && (
                  <Button onClick={() => void resetFactors()}>{t('admin-users.factors')}</Button>
                )}
                <Button onClick={() => void disable()}>{t('admin-users.disable')}</Button>
              </>
            )}
            {operator_role === 'admin' && (
              <>
                <Button onClick={() => void account.edit()}>{t('admin-users.edit')}</Button>
                {person.deletion_due_at ? (
                  <Button onClick={() => void account.restore()}>{t('admin-users.restore')}</Button>
                ) : (
                  <Button onClick={() => void account.remove()}>{t('admin-users.delete')}</Button>
                )}
              </>
            )}
          </div>
        )}
      </CardBody>
    </Card>
  )
}
