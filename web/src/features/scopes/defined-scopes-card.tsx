import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import { LOCALES } from '@vrata/contract/locales'
import type { DefinedScope } from '@vrata/contract/scopes'
import * as scopes from '@vrata/contract/scopes'
import { useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { LoadingCard } from '../../lib/clients/loading-card.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { definedScopes } from './queries.ts'
import { ScopeEditor } from './scope-editor.tsx'

/** Scopes defined by the app, sorted by key. */
export function DefinedScopesCard({ app }: { app: ClientInfo }) {
  const { t, locale } = useI18n()
  const list = useQuery(definedScopes(useAppContext(), app.client_id))
  const mayDefine = can(useUser(), scopes.defineScope)
  const [editing, setEditing] = useState<DefinedScope | 'new'>()
  const [open, setOpen] = useState(false)

  function edit(scope: DefinedScope | 'new') {
    setEditing(scope)
    setOpen(true)
  }

  if (!list.data) return <LoadingCard title={t('scopes.own.title')} query={list} />
  const define = mayDefine ? <Button onClick={() => edit('new')}>{t('scopes.own.define')}</Button> : null
  return (
    <Card aria-labelledby="own-scopes">
      <CardHead
        id="own-scopes"
        title={t('scopes.own.title')}
        text={t('scopes.own.text')}
        action={list.data.length > 0 && define}
      />
      {list.data.length > 0 ? (
        <Rows label={t('scopes.own.title')}>
          {list.data.map((scope) => (
            <Row
              key={scope.key}
              label={<ScopeLabel scope={scope} />}
              text={<code className="font-mono break-all">{scope.key}</code>}
              {...(mayDefine ? { onClick: () => edit(scope) } : {})}
            />
          ))}
        </Rows>
      ) : (
        <EmptyState
          text={
            mayDefine
              ? t('scopes.own.empty')
              : t('scopes.own.empty_level', { level: t(`menu.level.${scopes.defineScope.needs}`) })
          }
          action={define}
        />
      )}
      {mayDefine && (
        <Sheet
          open={open}
          onClose={() => setOpen(false)}
          title={t(editing === 'new' ? 'scopes.edit.new' : 'scopes.edit.change')}
        >
          {editing && (
            <ScopeEditor
              key={editing === 'new' ? locale : editing.key}
              app={app}
              scope={editing === 'new' ? undefined : editing}
              onDone={() => setOpen(false)}
            />
          )}
        </Sheet>
      )}
    </Card>
  )
}

function ScopeLabel({ scope: { key, title, sensitive, required } }: { scope: DefinedScope }) {
  const { t, format, locale } = useI18n()
  const missing = LOCALES.filter((one) => !title[one]).map((one) => one.slice(0, 2))
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{title[locale] ?? LOCALES.map((one) => title[one]).find(Boolean) ?? key}</span>
      {sensitive && <Badge look="danger">{t('scopes.sensitive')}</Badge>}
      {required && <Badge look="off">{t('scopes.required')}</Badge>}
      {missing.length > 0 && (
        <Badge look="accent">{t('scopes.missing', { languages: format.languages(missing) })}</Badge>
      )}
    </span>
  )
}
