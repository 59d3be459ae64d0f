import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'

/** For those who do not want to complete their sign-in. */
export function SignOutLink() {
  const { t } = useI18n()
  return (
    <div className="mt-3 -ml-5 flex">
      <ButtonLink look="ghost" href={paths.logout}>
        {t('ui.sign_out')}
      </ButtonLink>
    </div>
  )
}
