import { useAppContext } from '../../../../lib/app-context.tsx'
import { useI18n } from '../../../../lib/i18n.tsx'
import { CopyButton } from '../../../../ui/content/copy-button.tsx'
import { Card, CardHead } from '../../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../../ui/layout/row.tsx'

/** Issuer and discovery document (OpenID Connect Discovery §4), which libraries ask for. */
export function ServerAddressesCard() {
  const { t } = useI18n()
  const issuer = useAppContext().origin
  const addresses = [
    ['issuer', issuer],
    ['discovery', `${issuer}/.well-known/openid-configuration`],
  ] as const
  return (
    <Card aria-labelledby="server-addresses">
      <CardHead id="server-addresses" title={t('clients.server.title')} text={t('clients.server.text')} />
      <Rows>
        {addresses.map(([name, address]) => (
          <Row
            key={name}
            label={t(`clients.server.${name}`)}
            text={<code className="font-mono text-base break-all text-ink">{address}</code>}
            action={<CopyButton text={address} what={t(`clients.server.${name}`)} />}
          />
        ))}
      </Rows>
    </Card>
  )
}
