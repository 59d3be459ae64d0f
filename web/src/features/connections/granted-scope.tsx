import { connections } from '@vrata/contract'
import type { Connection } from '@vrata/contract/connections'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { scopeIcon } from '../../ui/icons/scope-icon.ts'
import { Row } from '../../ui/layout/row.tsx'
import { connectionList } from './queries.ts'

type Props = { connection: Connection; scope: Connection['scopes'][number] }

/** A granted scope. `openid` cannot be revoked alone; others can be revoked and granted again. */
export function GrantedScope({ connection: { client, disabled }, scope: { key, title, description } }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const { errorMessage } = useFormErrors()
  const [busy, setBusy] = useState(false)
  const reload = () => context.queries.invalidateQueries({ queryKey: connectionList(context).queryKey })

  async function revoke() {
    setBusy(true)
    const answer = await context.api(connections.revokeScope, { client: client.client_id, key })
    setBusy(false)
    if (!answer.ok && answer.problem.code !== 'not_found') return toast(errorMessage(answer))
    // A disabled app cannot be granted scopes.
    toast(
      t('connections.app.taken_back', { scope: title }),
      disabled ? undefined : { label: t('connections.app.undo'), run: () => void undo() },
    )
    await reload()
  }

  async function undo() {
    const apps = context.queries.getQueryData(connectionList(context).queryKey)
    // Granting the scope again would connect the app again.
    if (!apps?.some((one) => one.client.client_id === client.client_id)) return toast(t('connections.app.missing'))
    const answer = await context.api(connections.submitConsent, { client: client.client_id, scopes: [key] })
    if (!answer.ok) toast(errorMessage(answer))
    await reload()
  }

  return (
    <Row
      icon={scopeIcon(key)}
      label={title}
      text={description}
      action={
        key === 'openid' ? undefined : (
          <Button size="small" busy={busy} onClick={() => void revoke()}>
            <span aria-hidden="true">{t('connections.app.take_back_one')}</span>
            <span className="sr-only">{t('connections.app.take_back_of', { scope: title })}</span>
          </Button>
        )
      }
    />
  )
}
