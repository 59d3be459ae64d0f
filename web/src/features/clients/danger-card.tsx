import { useRouter } from '@tanstack/react-router'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { clientInfo, forgetList, keepInfo } from './data.ts'

/** Switching an app off and on, and deleting it; each only for whom the server lets do it. */
export function DangerCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const user = useUser()
  const switches = can(user, clients.switchClient)
  const deletes = can(user, clients.deleteClient)
  if (!switches && !deletes) return null
  return (
    <Card aria-labelledby="danger">
      <CardHead id="danger" title={t('clients.danger.title')} />
      <Rows>
        {switches && <EnabledRow key="enabled" app={app} />}
        {deletes && <DeleteRow key="delete" app={app} />}
      </Rows>
    </Card>
  )
}

/** One row for both ways, so that the button which was pressed is still there to get the focus back. */
function EnabledRow({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal, sentence } = useRefusal()
  const [busy, setBusy] = useState(false)
  const deed = app.enabled ? 'disable' : 'enable'

  function disable() {
    return ask({
      title: t('clients.danger.disable_ask', { app: app.name }),
      message: t('clients.danger.disable_ask_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.danger.disable') }],
      danger: true,
      async send() {
        const answer = await wires.api(clients.updateClientInfo, { id: app.client_id, enabled: false })
        if (!answer.ok) return refusal(answer)
        keepInfo(wires, answer.data)
        toast(t('clients.danger.disabled'))
      },
    })
  }

  async function enable() {
    setBusy(true)
    const answer = await wires.api(clients.updateClientInfo, { id: app.client_id, enabled: true })
    setBusy(false)
    if (answer.ok) keepInfo(wires, answer.data)
    toast(answer.ok ? t('clients.danger.enabled') : sentence(answer))
  }

  return (
    <Row
      label={t(`clients.danger.${deed}_label`)}
      text={t(`clients.danger.${deed}_text`)}
      action={
        <Button size="small" busy={busy} onClick={() => void (app.enabled ? disable() : enable())}>
          {t(`clients.danger.${deed}`)}
        </Button>
      }
    />
  )
}

function DeleteRow({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { developer_id } = useUser()
  const { refusal } = useRefusal()

  async function remove() {
    const answer = await ask({
      title: t('clients.danger.delete_ask', { app: app.name }),
      message: t('clients.danger.delete_ask_text'),
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('clients.danger.type_name', { app: app.name }),
          exactly: app.name,
          required: true,
          invalid: t('problems.name_mismatch'),
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.danger.delete') }],
      danger: true,
      async send() {
        const answer = await wires.api(clients.deleteClient, { id: app.client_id })
        if (!answer.ok) return refusal(answer)
      },
    })
    if (!answer) return
    toast(t('clients.danger.deleted'))
    forgetList(wires)
    await router.navigate({ href: paths.applications(developer_id ?? ''), replace: true })
    wires.queries.removeQueries({ queryKey: clientInfo(wires, app.client_id).queryKey })
  }

  return (
    <Row
      label={t('clients.danger.delete_label')}
      text={t('clients.danger.delete_text')}
      action={
        <Button size="small" onClick={() => void remove()}>
          {t('clients.danger.delete_do')}
        </Button>
      }
    />
  )
}
