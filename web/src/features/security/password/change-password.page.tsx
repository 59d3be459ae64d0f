import { useRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../../lib/i18n.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Submit } from '../../../ui/form/form.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

/** `/change-password`: changes the password of the signed-in user, then goes to the home page. */
export function ChangePasswordPage() {
  const { t } = useI18n()
  const router = useRouter()

  async function finish() {
    toast(t('new-password.change.done'))
    await router.navigate({ href: paths.home })
  }

  return (
    <PublicCard title={t('new-password.change.title')} text={t('new-password.change.text')}>
      <ChangePasswordForm onChanged={finish}>
        <div className="flex flex-col gap-3">
          <Submit wide>{t('new-password.change.do')}</Submit>
          <ButtonLink wide href={paths.home}>
            {t('ui.cancel')}
          </ButtonLink>
        </div>
      </ChangePasswordForm>
    </PublicCard>
  )
}
