import { useRouter } from '@tanstack/react-router'
import { connections } from '@vrata/contract'
import type { Connection } from '@vrata/contract/connections'
import { paths } from '@vrata/contract/page-addresses'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Row } from '../../ui/layout/row.tsx'
import { connectionList } from './queries.ts'

/** Disconnects the app after confirmation (product §8.4). */
export function RemoveConnection({ connection: { client } }: { connection: Connection }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()

  async function remove() {
    const answer = await showDialog({
      title: t('connections.app.remove_title', { app: client.name }),
      message: t('connections.app.remove_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('connections.app.remove') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(connections.removeConnection, { client: client.client_id })
        if (!answer.ok && answer.problem.code !== 'not_found') return formErrors(answer)
      },
    })
    if (!answer) return
    toast(t('connections.app.removed'))
    const { queryKey } = connectionList(context)
    context.queries.setQueryData(queryKey, (apps) => apps?.filter((one) => one.client.client_id !== client.client_id))
    await context.queries.invalidateQueries({ queryKey })
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
