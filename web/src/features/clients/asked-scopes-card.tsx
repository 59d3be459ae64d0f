import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import type { ShownScope } from '@vrata/contract/scopes'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { TrashIcon } from '../../ui/inner-icons.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { scopeIcon } from '../../ui/scope-icon.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.ts'
import { askedScopes, chooseScopes } from './scope-data.ts'
import { ScopeExplorer } from './scope-explorer.tsx'
import { ScopeLine } from './scope-line.tsx'
import { Waiting } from './waiting.tsx'

/** The scopes that the app may ask for, each as people read it; the explorer adds others. */
export function AskedScopesCard({ app }: { app: ClientInfo }) {
  const { t, locale } = useI18n()
  const [choosing, setChoosing] = useState(false)
  const asked = useQuery({ ...askedScopes(useWires(), app, locale), placeholderData: keepPreviousData })
  const mayChoose = can(useUser(), clients.updateClientInfo)
  const drop = useDropping(app)

  if (!asked.data) return <Waiting title={t('scopes.asked.title')} query={asked} />
  return (
    <Card aria-labelledby="asked-scopes">
      <CardHead
        id="asked-scopes"
        title={t('scopes.asked.title')}
        text={t('scopes.asked.text')}
        action={mayChoose && <Button onClick={() => setChoosing(true)}>{t('scopes.asked.choose')}</Button>}
      />
      <Rows label={t('scopes.asked.title')}>
        {asked.data.map((scope) => (
          <Row
            key={scope.key}
            icon={scopeIcon(scope.key)}
            label={<Labelled scope={scope} />}
            text={<ScopeLine scope={scope} own={scope.client?.client_id === app.client_id} />}
            action={
              mayChoose && (
                <IconButton label={t('scopes.asked.remove', { scope: scope.title })} onClick={() => void drop(scope)}>
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

function Labelled({ scope: { title, required, sensitive } }: { scope: ShownScope }) {
  const { t } = useI18n()
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{title}</span>
      {sensitive && <Badge look="danger">{t('scopes.sensitive')}</Badge>}
      {required && <Badge look="off">{t('scopes.required')}</Badge>}
    </span>
  )
}

/** Takes one away; for a moment it can be undone. */
function useDropping(app: ClientInfo) {
  const { t } = useI18n()
  const wires = useWires()
  const { sentence } = useRefusal()

  async function choose(keys: string[]): Promise<boolean> {
    const answer = await chooseScopes(wires, app.client_id, keys)
    if (!answer.ok) toast(sentence(answer))
    return answer.ok
  }

  return async ({ key, title }: ShownScope) => {
    const rest = app.scopes.filter((asked) => asked !== key)
    if (rest.length === 0) return toast(t('scopes.asked.last'))
    if (!(await choose(rest))) return
    toast(t('scopes.asked.removed', { scope: title }), {
      label: t('scopes.asked.undo'),
      run: () => void choose(app.scopes),
    })
  }
}
