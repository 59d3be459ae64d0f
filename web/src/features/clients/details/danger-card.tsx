import { useRouter } from '@tanstack/react-router'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { paths } from '@vrata/contract/page-addresses'
import * as users from '@vrata/contract/users'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { clientInfo, invalidateClientList, setClientInfo } from '../../../lib/clients/client-queries.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { dialogAfterWait } from '../../../ui/dialog/dialog-after-wait.ts'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Card, CardHead } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'

/** Enabling, disabling and deleting an app, according to permissions. */
export function DangerCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const user = useUser()
  const switches = can(user, clients.enableClient) && !app.approval
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

/** One row for both states, so that the pressed button still exists to receive focus. */
function EnabledRow({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors, errorMessage } = useFormErrors()
  const [busy, setBusy] = useState(false)
  const action = app.enabled ? 'disable' : 'enable'

  function disable() {
    return showDialog({
      title: t('clients.danger.disable_ask', { app: app.name }),
      message: t('clients.danger.disable_ask_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.danger.disable') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(clients.updateClientInfo, { id: app.client_id, enabled: false })
        if (!answer.ok) return formErrors(answer)
        setClientInfo(context, answer.data)
        toast(t('clients.danger.disabled'))
      },
    })
  }

  async function enable() {
    setBusy(true)
    const answer = await context.api(clients.updateClientInfo, { id: app.client_id, enabled: true })
    setBusy(false)
    if (answer.ok) setClientInfo(context, answer.data)
    toast(answer.ok ? t('clients.danger.enabled') : errorMessage(answer))
  }

  return (
    <Row
      label={t(`clients.danger.${action}_label`)}
      text={t(`clients.danger.${action}_text`)}
      action={
        <Button size="small" busy={busy} onClick={() => void (app.enabled ? disable() : enable())}>
          {t(`clients.danger.${action}`)}
        </Button>
      }
    />
  )
}

function DeleteRow({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { developer_id } = useUser()
  const { formErrors } = useFormErrors()

  async function remove() {
    const ask = dialogAfterWait()
    const people = await context.api(users.countUsers, { client_id: app.client_id })
    const answer = await ask({
      title: t('clients.danger.delete_ask', { app: app.name }),
      message: [
        people.ok &&
          t(people.data.more ? 'clients.danger.more_people' : 'clients.danger.people', { count: people.data.count }),
        t('clients.danger.delete_ask_text'),
      ]
        .filter(Boolean)
        .join(' '),
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
      async onSubmit() {
        const answer = await context.api(clients.deleteClient, { id: app.client_id })
        if (!answer.ok) return formErrors(answer)
      },
    })
    if (!answer) return
    toast(t('clients.danger.deleted'))
    invalidateClientList(context)
    await router.navigate({ href: paths.applications(developer_id ?? ''), replace: true })
    context.queries.removeQueries({ queryKey: clientInfo(context, app.client_id).queryKey })
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
