import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { serverTime, shownTime } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Time } from '../../ui/time.tsx'
import { SecretOnce } from './secret-once.tsx'
import { useRegenerate } from './use-regenerate.ts'

/** How the app shows who it is. Of the secret only the end is known. */
export function CredentialsCard({ app }: { app: ClientInfo }) {
  const { t, rich, format } = useI18n()
  const mayRegenerate = can(useUser(), clients.regenerateSecret)
  const regenerate = useRegenerate(app)
  const [secret, setSecret] = useState<string>()
  const [shown, setShown] = useState(false)

  async function renew() {
    const fresh = await regenerate()
    if (!fresh) return
    setSecret(fresh)
    setShown(true)
  }

  const when = (at: string) => <Time at={at} {...shownTime(at, format)} />
  const { secret_created_at: made, secret_last_used_at: used, previous_secret_until: until } = app
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
                {made && <span className="block">{rich('clients.secret.made', { when: when(made) })}</span>}
                <span className="block">
                  {used ? rich('clients.secret.used', { when: when(used) }) : t('clients.secret.unused')}
                </span>
                {until && serverTime(until).getTime() > Date.now() && (
                  <span className="block">{rich('clients.secret.old_until', { when: when(until) })}</span>
                )}
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
      <Sheet open={shown} onClose={() => setShown(false)} title={t('clients.secret.new')}>
        <div className="mt-6 space-y-5">
          {secret && <SecretOnce secret={secret} />}
          <Button look="primary" wide onClick={() => setShown(false)}>
            {t('clients.secret_once.done')}
          </Button>
        </div>
      </Sheet>
    </Card>
  )
}
