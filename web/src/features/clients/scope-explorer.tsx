import { useInfiniteQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import type { ScopeNode } from '@vrata/contract/scopes'
import { useEffect, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { ChevronRightIcon, SearchIcon } from '../../ui/inner-icons.tsx'
import { SheetFoot } from '../../ui/sheet-foot.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Checkbox } from '../../ui/switch.tsx'
import { chooseScopes, explored } from './scope-data.ts'
import { ScopeLine } from './scope-line.tsx'

/** Waits this long for the next letter before it searches, in milliseconds. */
const PAUSE = 250

type Choice = { has(key: string): boolean; toggle(key: string, on: boolean): void }

/** The tree of all scopes of all apps, and a search through it; what is ticked is what the app asks for. */
export function ScopeExplorer({ app, onDone }: { app: ClientInfo; onDone: () => void }) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()
  const [chosen, setChosen] = useState<readonly string[]>(app.scopes)
  const [typed, setTyped] = useState('')
  const query = useSettledText(typed.trim())
  const choice: Choice = {
    has: (key) => chosen.includes(key),
    toggle: (key, on) => setChosen((keys) => (on ? [...keys, key] : keys.filter((other) => other !== key))),
  }

  async function save() {
    if (chosen.length === 0) return { message: t('scopes.explore.none') }
    const answer = await chooseScopes(wires, app.client_id, [...chosen])
    if (!answer.ok) return refusal(answer)
    onDone()
  }

  return (
    <Form className="mt-5" onSubmit={save}>
      <TextField
        type="search"
        label={t('scopes.explore.search')}
        hideLabel
        placeholder={t('scopes.explore.search')}
        value={typed}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        // Searching is no reason to save.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        end={<SearchIcon className="mr-3 text-muted" />}
      />
      <Places key={query} path="root" query={query} choice={choice} />
      <SheetFoot>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Submit>{t('scopes.explore.save')}</Submit>
      </SheetFoot>
    </Form>
  )
}

/** What stands below a place; with a query, every scope that contains it. */
function Places({ path, query, choice }: { path: string; query: string; choice: Choice }) {
  const { t, locale } = useI18n()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    explored(useWires(), path, query, locale),
  )
  if (!data) {
    return error ? (
      <ErrorState title={t('clients.failed')} text={t('clients.failed_text')} onRetry={() => void refetch()} />
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
          <Place key={node.key} node={node} choice={choice} />
        ))}
      </ul>
      {hasNextPage && (
        <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('scopes.explore.more')}
        </Button>
      )}
    </div>
  )
}

function Place({ node, choice }: { node: ScopeNode; choice: Choice }) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  const { key, title, defined, children, sensitive, client } = node
  // The first word of an app says little beside its name.
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
              text={<ScopeLine scope={node} />}
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
          <Places path={key} query="" choice={choice} />
        </div>
      )}
    </li>
  )
}

/** The text once nobody has typed for a moment. */
function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
