import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { OneTimeSecret } from './one-time-secret.tsx'
import { useRegenerateSecret } from './use-regenerate-secret.ts'

/** Client ID and secret; only the end of the secret is known. */
export function CredentialsCard({ app }: { app: ClientInfo }) {
  const { t, rich, format } = useI18n()
  const mayRegenerate = can(useUser(), clients.regenerateSecret)
  const regenerate = useRegenerateSecret(app)
  const [secret, setSecret] = useState<string>()
  const [shown, setShown] = useState(false)

  async function renew() {
    const newSecret = await regenerate()
    if (!newSecret) return
    setSecret(newSecret)
    setShown(true)
  }

  const when = (at: string) => <Time at={at} {...formatTime(at, format)} />
  const { secret_created_at: createdAt, secret_last_used_at: usedAt, previous_secret_until: until } = app
  return (
    <Card aria-labelledby="credentials">
      <CardHead id="credentials" title={t('clients.credentials')} />
      <Rows>
        <Row
          key="id"
          label={t('clients.client_id')}
          text={<code className="font-mono text-base break-all text-ink">{app.client_id}</code>}
          action={<CopyButton text={app.client_id} what={t('clients.client_id')} />}
        />
        <Row
          key="secret"
          label={t('clients.client_secret')}
          text={
            app.secret_hint ? (
              <>
                <code className="font-mono text-base text-ink">•••• •••• {app.secret_hint}</code>
                {createdAt && <span className="block">{rich('clients.secret.made', { when: when(createdAt) })}</span>}
                <span className="block">
                  {usedAt ? rich('clients.secret.used', { when: when(usedAt) }) : t('clients.secret.unused')}
                </span>
                {until && <span className="block">{rich('clients.secret.old_until', { when: when(until) })}</span>}
              </>
            ) : (
              t('clients.secret.none')
            )
          }
          action={
            mayRegenerate && (
              <Button size="small" onClick={() => void renew()}>
                {t(app.secret_hint ? 'clients.secret.regenerate' : 'clients.secret.make')}
              </Button>
            )
          }
        />
      </Rows>
      <Sheet open={shown} onClose={() => setShown(false)} title={t('clients.secret.new')} shownOnce>
        <div className="mt-6 space-y-5">
          {secret && <OneTimeSecret secret={secret} />}
          <Button look="primary" wide onClick={() => setShown(false)}>
            {t('clients.secret_once.done')}
          </Button>
        </div>
      </Sheet>
    </Card>
  )
}
