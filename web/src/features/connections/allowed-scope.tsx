import { connections } from '@vrata/contract'
import type { Connection } from '@vrata/contract/connections'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { Row } from '../../ui/row.tsx'
import { scopeIcon } from '../../ui/scope-icon.ts'
import { toast } from '../../ui/toast.ts'
import { connectionList } from './data.ts'

type Props = { connection: Connection; scope: Connection['scopes'][number] }

/** One thing that the app may do. Recognizing the person cannot be taken back alone; the rest can, and given again. */
export function AllowedScope({ connection: { client, disabled }, scope: { key, title, description } }: Props) {
  const { t } = useI18n()
  const wires = useWires()
  const { sentence } = useRefusal()
  const [busy, setBusy] = useState(false)
  const reload = () => wires.queries.invalidateQueries({ queryKey: connectionList(wires).queryKey })

  async function takeBack() {
    setBusy(true)
    const answer = await wires.api(connections.takeBackScope, { client: client.client_id, key })
    setBusy(false)
    if (!answer.ok && answer.problem.code !== 'not_found') return toast(sentence(answer))
    // A disabled app can be allowed nothing.
    toast(
      t('connections.app.taken_back', { scope: title }),
      disabled ? undefined : { label: t('connections.app.undo'), run: () => void allowAgain() },
    )
    await reload()
  }

  async function allowAgain() {
    const answer = await wires.api(connections.putConsent, { client: client.client_id, scopes: [key] })
    if (!answer.ok) toast(sentence(answer))
    await reload()
  }

  return (
    <Row
      icon={scopeIcon(key)}
      label={title}
      text={description}
      action={
        key === 'openid' ? undefined : (
          <Button size="small" busy={busy} onClick={() => void takeBack()}>
            <span aria-hidden="true">{t('connections.app.take_back_one')}</span>
            <span className="sr-only">{t('connections.app.take_back_of', { scope: title })}</span>
          </Button>
        )
      }
    />
  )
}
