import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import type { DescribedScope } from '@vrata/contract/scopes'
import { useRef, useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { clientInfo } from '../../lib/clients/client-queries.ts'
import { LoadingCard } from '../../lib/clients/loading-card.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { scopeIcon } from '../../ui/icons/scope-icon.ts'
import { TrashIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { focusBesideRow, Row, Rows } from '../../ui/layout/row.tsx'
import { requestedScopes, updateRequestedScopes } from './queries.ts'
import { ScopeDescription } from './scope-description.tsx'
import { ScopeExplorer } from './scope-explorer.tsx'

/** Scopes that the app requests, as users read them. */
export function RequestedScopesCard({ app }: { app: ClientInfo }) {
  const { t, locale } = useI18n()
  const [choosing, setChoosing] = useState(false)
  const requested = useQuery({ ...requestedScopes(useAppContext(), app, locale), placeholderData: keepPreviousData })
  const mayChoose = can(useUser(), clients.updateClientInfo)
  const remove = useRemoveRequestedScope(app)

  if (!requested.data) return <LoadingCard title={t('scopes.asked.title')} query={requested} />
  return (
    <Card aria-labelledby="asked-scopes">
      <CardHead
        id="asked-scopes"
        title={t('scopes.asked.title')}
        text={t('scopes.asked.text')}
        action={mayChoose && <Button onClick={() => setChoosing(true)}>{t('scopes.asked.choose')}</Button>}
      />
      <Rows label={t('scopes.asked.title')}>
        {requested.data.map((scope) => (
          <Row
            key={scope.key}
            icon={scopeIcon(scope.key)}
            label={<ScopeLabel scope={scope} />}
            text={<ScopeDescription scope={scope} own={scope.client?.client_id === app.client_id} />}
            action={
              mayChoose && (
                <IconButton
                  label={t('scopes.asked.remove', { scope: scope.title })}
                  onClick={({ currentTarget }) => void remove(scope, currentTarget)}
                >
                  <TrashIcon />
                </IconButton>
              )
            }
          />
        ))}
      </Rows>
      {mayChoose && (
        <Sheet
          open={choosing}
          onClose={() => setChoosing(false)}
          title={t('scopes.explore.title')}
          message={t('scopes.explore.text')}
        >
          <ScopeExplorer app={app} onDone={() => setChoosing(false)} />
        </Sheet>
      )}
    </Card>
  )
}

function ScopeLabel({ scope: { title, required, sensitive } }: { scope: DescribedScope }) {
  const { t } = useI18n()
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{title}</span>
      {sensitive && <Badge look="danger">{t('scopes.sensitive')}</Badge>}
      {required && <Badge look="off">{t('scopes.required')}</Badge>}
    </span>
  )
}

/** Removes a scope with undo. A call sends the whole list, so one change begins after the answer to the one before. */
function useRemoveRequestedScope(app: ClientInfo) {
  const { t } = useI18n()
  const context = useAppContext()
  const { errorMessage } = useFormErrors()
  const last = useRef(Promise.resolve())
  const inTurn = (change: () => Promise<void>) => {
    last.current = last.current.then(change)
    return last.current
  }
  const requested = () =>
    context.queries.getQueryData(clientInfo(context, app.client_id).queryKey)?.scopes ?? app.scopes

  async function choose(keys: string[]): Promise<boolean> {
    const answer = await updateRequestedScopes(context, app.client_id, keys)
    if (!answer.ok) toast(errorMessage(answer))
    return answer.ok
  }

  async function undo(key: string): Promise<void> {
    await choose([...requested().filter((other) => other !== key), key])
  }

  async function remove({ key, title }: DescribedScope, button: Element): Promise<void> {
    const rest = requested().filter((other) => other !== key)
    if (rest.length === 0) return toast(t('scopes.asked.last'))
    focusBesideRow(button)
    if (!(await choose(rest))) return
    toast(t('scopes.asked.removed', { scope: title }), {
      label: t('scopes.asked.undo'),
      run: () => void inTurn(() => undo(key)),
    })
  }

  return (scope: DescribedScope, button: Element) => inTurn(() => remove(scope, button))
}
