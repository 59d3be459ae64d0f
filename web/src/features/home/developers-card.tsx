import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { useDeveloperRows } from '../../lib/organizations/use-developer-rows.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DeveloperRows } from '../../ui/identity/developer-rows.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'

/** Developer accounts of the user, or an introduction to the developer area. */
export function DevelopersCard() {
  const { t } = useI18n()
  const accounts = useDeveloperRows()
  if (!accounts.length) {
    return (
      <Card className="pb-2">
        <CardHead
          title={t('home.developers.invite')}
          text={t('home.developers.invite_text')}
          action={
            <ButtonLink size="small" href={paths.developers}>
              {t('home.developers.open')}
            </ButtonLink>
          }
        />
      </Card>
    )
  }
  return (
    <Card aria-labelledby="developer-accounts">
      <CardHead id="developer-accounts" title={t('home.developers.title')} />
      <DeveloperRows accounts={accounts} />
    </Card>
  )
}
