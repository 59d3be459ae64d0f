import type { DeveloperAccount } from '@vrata/contract/account'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Row, Rows } from '../../ui/row.tsx'

/** The person's organisations, or what the developer area is for. */
export function DevelopersCard({ accounts }: { accounts: readonly DeveloperAccount[] }) {
  const { t } = useI18n()
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
      <Rows>
        {accounts.map(({ developer_id, name, logo, permission }) => (
          <Row
            key={developer_id}
            picture={<Picture kind="developer" url={logo} name={name} />}
            label={name}
            text={t(`ui.level.${permission}`)}
            href={paths.applications(developer_id)}
          />
        ))}
      </Rows>
    </Card>
  )
}
