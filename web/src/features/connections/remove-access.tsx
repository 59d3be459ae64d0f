import { useRouter } from '@tanstack/react-router'
import { connections } from '@vrata/contract'
import type { Connection } from '@vrata/contract/connections'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Row } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { connectionList } from './data.ts'

/** Unlinks the app, after the warning of the specification (§8). */
export function RemoveAccess({ connection: { client } }: { connection: Connection }) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { refusal } = useRefusal()

  async function remove() {
    const answer = await ask({
      title: t('connections.app.remove_title', { app: client.name }),
      message: t('connections.app.remove_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('connections.app.remove') }],
      danger: true,
      async send() {
        const answer = await wires.api(connections.removeConnection, { client: client.client_id })
        if (!answer.ok && answer.problem.code !== 'not_found') return refusal(answer)
      },
    })
    if (!answer) return
    toast(t('connections.app.removed'))
    await wires.queries.invalidateQueries({ queryKey: connectionList(wires).queryKey })
    await router.navigate({ href: paths.connectedApps, replace: true })
  }

  return (
    <Card>
      <Row
        label={t('connections.app.remove')}
        text={t('connections.app.remove_row')}
        action={
          <Button size="small" onClick={() => void remove()}>
            {t('connections.app.remove')}
          </Button>
        }
      />
    </Card>
  )
}
