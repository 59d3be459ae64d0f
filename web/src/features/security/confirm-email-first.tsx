import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { CardBody } from '../../ui/layout/card.tsx'

/** Shown instead of adding a passkey or a second factor while the address is not confirmed; leads back to `page` afterwards. */
export function ConfirmEmailFirst({ page }: { page: string }) {
  const { t } = useI18n()
  return (
    <CardBody className="flex flex-wrap items-center justify-between gap-4 pt-0">
      <p className="min-w-0 grow basis-64 text-muted">{t('security.confirm.text')}</p>
      <ButtonLink look="primary" href={paths.verify(page)}>
        {t('security.confirm.do')}
      </ButtonLink>
    </CardBody>
  )
}
