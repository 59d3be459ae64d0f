import { useInfiniteQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import type { ScopeNode } from '@vrata/contract/scopes'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { mergedList } from '../../lib/api/changed-from.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { SheetFoot } from '../../ui/dialog/sheet-foot.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { ChevronRightIcon } from '../../ui/icons/signed-in-icons.tsx'
import { scopeTree, updateRequestedScopes } from './queries.ts'
import { ScopeDescription } from './scope-description.tsx'

type Selection = { has(key: string): boolean; toggle(key: string, on: boolean): void }

/** Tree of all scopes with search. Checked scopes are requested by the app. */
export function ScopeExplorer({ app, onDone }: { app: ClientInfo; onDone: () => void }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const [opened] = useState<readonly string[]>(app.scopes)
  const [chosen, setChosen] = useState(opened)
  const [query, setQuery] = useState('')
  const choice: Selection = {
    has: (key) => chosen.includes(key),
    toggle: (key, on) => setChosen((keys) => (on ? [...keys, key] : keys.filter((other) => other !== key))),
  }

  async function save() {
    const keys = mergedList(opened, chosen, app.scopes)
    if (keys.length === 0) return { message: t('scopes.explore.none') }
    const answer = await updateRequestedScopes(context, app.client_id, keys)
    if (!answer.ok) return formErrors(answer)
    onDone()
  }

  return (
    <Form className="mt-5" onSubmit={save}>
      <SearchField label={t('scopes.explore.search')} onSearch={setQuery} />
      <ScopeList key={query} path="root" query={query} choice={choice} />
      <SheetFoot>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Submit>{t('scopes.explore.save')}</Submit>
      </SheetFoot>
    </Form>
  )
}

/** Children of a node, or all matches of a query. */
function ScopeList({ path, query, choice }: { path: string; query: string; choice: Selection }) {
  const { t, locale } = useI18n()
  const list = useInfiniteQuery(scopeTree(useAppContext(), path, query, locale))
  const { data, error, refetch } = list
  if (!data) {
    return error ? (
      <ErrorState
        title={t('scopes.explore.title')}
        text={t('clients.failed_text')}
        onRetry={() => void refetch()}
        code={requestIdOf(error)}
      />
    ) : (
      <SkeletonRows rows={3} label={t('clients.loading')} />
    )
  }
  const nodes = data.pages.flatMap((page) => page.nodes)
  if (nodes.length === 0) return <p className="py-4 text-muted">{t('scopes.explore.nothing', { query })}</p>
  return (
    <div>
      <ul className="divide-y divide-line">
        {nodes.map((node) => (
          <ScopeItem key={node.key} node={node} choice={choice} />
        ))}
      </ul>
      <MoreButton list={list} size="small" />
    </div>
  )
}

function ScopeItem({ node, choice }: { node: ScopeNode; choice: Selection }) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  const { key, title, defined, children, sensitive, client } = node
  // The first segment of a key says less than the name of the app.
  const name = defined ? title : (key.includes('.') ? key : client?.name) || key
  return (
    <li>
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          {defined ? (
            <Checkbox
              label={
                <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="min-w-0">{title}</span>
                  {sensitive && <Badge look="danger">{t('scopes.sensitive')}</Badge>}
                </span>
              }
              text={<ScopeDescription scope={node} />}
              checked={choice.has(key)}
              onChange={({ target }) => choice.toggle(key, target.checked)}
            />
          ) : (
            <button
              type="button"
              aria-expanded={open}
              className="flex min-h-11 w-full items-center gap-3 py-2.5 text-left"
              onClick={() => setOpen(!open)}
            >
              <ChevronRightIcon size={20} className={open ? 'rotate-90 text-muted' : 'text-muted'} />
              <span className="min-w-0">
                <span className="block font-medium">{name}</span>
                {name !== key && <code className="font-mono text-small text-muted">{key}</code>}
              </span>
            </button>
          )}
        </div>
        {defined && children > 0 && (
          <Button
            look="ghost"
            size="small"
            aria-expanded={open}
            aria-label={t('scopes.explore.open', { place: key })}
            onClick={() => setOpen(!open)}
          >
            <ChevronRightIcon size={20} className={open ? 'rotate-90' : undefined} />
          </Button>
        )}
      </div>
      {open && (
        <div className="border-l border-line pl-4">
          <ScopeList path={key} query="" choice={choice} />
        </div>
      )}
    </li>
  )
}
