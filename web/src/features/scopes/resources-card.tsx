import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import type { Resource } from '@vrata/contract/scopes'
import * as scopes from '@vrata/contract/scopes'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { LoadingCard } from '../../lib/clients/loading-card.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TrashIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { definedScopes, invalidateScopes, resources } from './queries.ts'
import { ResourceEditor } from './resource-editor.tsx'

/** API identifiers of the app (RFC 8707): add in a sheet, remove after confirmation. */
export function ResourcesCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const list = useQuery(resources(context, app.client_id))
  const defined = useQuery(definedScopes(context, app.client_id))
  const remove = useRemoveResource(app)
  const [adding, setAdding] = useState(false)

  if (!list.data || !defined.data) return <LoadingCard title={t('scopes.api.title')} query={list} />
  const mayAdd = can(user, scopes.addResource) && defined.data.length > 0
  const add = mayAdd ? <Button onClick={() => setAdding(true)}>{t('scopes.api.add')}</Button> : null
  return (
    <Card aria-labelledby="own-apis">
      <CardHead
        id="own-apis"
        title={t('scopes.api.title')}
        text={t('scopes.api.text')}
        action={list.data.length > 0 && add}
      />
      {list.data.length > 0 ? (
        <Rows label={t('scopes.api.title')}>
          {list.data.map((resource) => (
            <Row
              key={resource.resource_id}
              label={resource.name}
              text={<ResourceText resource={resource} />}
              action={
                can(user, scopes.removeResource) && (
                  <IconButton
                    label={t('scopes.api.remove_one', { identifier: resource.identifier })}
                    onClick={() => void remove(resource)}
                  >
                    <TrashIcon />
                  </IconButton>
                )
              }
            />
          ))}
        </Rows>
      ) : (
        <EmptyState text={t(defined.data.length > 0 ? 'scopes.api.empty' : 'scopes.api.no_scopes')} action={add} />
      )}
      {mayAdd && (
        <Sheet open={adding} onClose={() => setAdding(false)} title={t('scopes.api.add')}>
          <ResourceEditor
            app={app}
            defined={defined.data}
            onDone={async () => {
              setAdding(false)
              await invalidateScopes(context)
            }}
          />
        </Sheet>
      )}
    </Card>
  )
}

function ResourceText({ resource: { identifier, scopes: keys } }: { resource: Resource }) {
  return (
    <>
      <code className="block font-mono break-all">{identifier}</code>
      <code className="block font-mono text-small break-all">{keys.join(' ')}</code>
    </>
  )
}

function useRemoveResource({ client_id: id }: ClientInfo) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  return async ({ resource_id, identifier }: Resource) => {
    const removed = await showDialog({
      title: t('scopes.api.remove_ask'),
      message: (
        <>
          <code className="block font-mono text-base break-all text-ink">{identifier}</code>
          <span className="mt-3 block">{t('scopes.api.remove_text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('scopes.api.remove') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(scopes.removeResource, { id, resource_id })
        if (!answer.ok) return formErrors(answer)
      },
    })
    if (!removed) return
    toast(t('scopes.api.removed'))
    await invalidateScopes(context)
  }
}
