import { useRouter } from '@tanstack/react-router'
import { account } from '@vrata/contract'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { toast } from '../../ui/toast.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** The current password proves who it is; all other sessions end. */
export function ChangePassword() {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const user = useUser()
  const { refusal } = useRefusal()

  async function save({ current_password = '', new_password = '' }: Record<string, string>) {
    const answer = await wires.api(account.setPassword, { current_password, new_password })
    if (!answer.ok) {
      return refusal(answer, {
        invalid_password: 'current_password',
        password_too_short: 'new_password',
        password_breached: 'new_password',
      })
    }
    await loadUser(wires)
    toast(t('auth.change.done'))
    await router.navigate({ href: paths.home })
  }

  return (
    <PublicCard title={t('auth.change.title')} text={t('auth.change.text')}>
      <Form onSubmit={save}>
        {/* Password managers want to know whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          name="current_password"
          label={t('auth.current_password')}
          autoComplete="current-password"
          {...constraintsOf(account.setPassword, 'current_password')}
        />
        <NewPasswordField name="new_password" label={t('auth.new_password')} thorough />
        <div className="flex flex-col gap-3">
          <Submit wide>{t('auth.change.do')}</Submit>
          <ButtonLink wide href={paths.home}>
            {t('ui.cancel')}
          </ButtonLink>
        </div>
      </Form>
    </PublicCard>
  )
}
