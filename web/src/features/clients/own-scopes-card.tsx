import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import { LOCALES } from '@vrata/contract/locales'
import type { DefinedScope } from '@vrata/contract/scopes'
import * as scopes from '@vrata/contract/scopes'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { ownScopes } from './scope-data.ts'
import { ScopeEditor } from './scope-editor.tsx'
import { useLanguageName } from './use-language-name.ts'
import { Waiting } from './waiting.tsx'

/** The scopes that the app defines, by key, so that a branch of the tree stands together. */
export function OwnScopesCard({ app }: { app: ClientInfo }) {
  const { t, locale } = useI18n()
  const list = useQuery(ownScopes(useWires(), app.client_id))
  const mayDefine = can(useUser(), scopes.putScope)
  const [editing, setEditing] = useState<DefinedScope | 'new'>()
  const [open, setOpen] = useState(false)

  function edit(scope: DefinedScope | 'new') {
    setEditing(scope)
    setOpen(true)
  }

  if (!list.data) return <Waiting title={t('scopes.own.title')} query={list} />
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
              label={<Labelled scope={scope} />}
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
              : t('scopes.own.empty_level', { level: t(`ui.level.${scopes.putScope.needs}`) })
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

function Labelled({ scope: { key, title, sensitive, required } }: { scope: DefinedScope }) {
  const { t, locale } = useI18n()
  const nameOf = useLanguageName()
  const missing = LOCALES.filter((one) => !title[one]).map(nameOf)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{title[locale] ?? LOCALES.map((one) => title[one]).find(Boolean) ?? key}</span>
      {sensitive && <Badge look="danger">{t('scopes.sensitive')}</Badge>}
      {required && <Badge look="off">{t('scopes.required')}</Badge>}
      {missing.length > 0 && <Badge look="lamp">{t('scopes.missing', { languages: missing.join(', ') })}</Badge>}
    </span>
  )
}
