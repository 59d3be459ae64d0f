import { useDeveloperRows } from '../../lib/developer-rows.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { DeveloperRows } from '../../ui/developer-rows.tsx'

/** The person's organisations, or what the developer area is for. */
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
