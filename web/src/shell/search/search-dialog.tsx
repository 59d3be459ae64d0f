import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { DialogFrame } from '../../ui/dialog/dialog-frame.tsx'
import { SearchIcon } from '../../ui/icons/signed-in-icons.tsx'
import { useTypingPause } from '../../ui/use-typing-pause.ts'
import { type Entry, findEntries } from './entries.ts'
import { SearchResults } from './search-results.tsx'
import { searchState } from './search-state.ts'
import { useFoundEntries } from './use-found-entries.tsx'
import { useStaticEntries } from './use-static-entries.ts'

/** The search of everything: a field and its results, by group. */
export function SearchDialog() {
  const { t } = useI18n()
  const open = useSyncExternalStore(searchState.subscribe, searchState.isOpen, () => false)
  const input = useRef<HTMLInputElement>(null)
  return (
    <DialogFrame title={t('ui.search')} hideTitle open={open} onClose={searchState.close} firstFocus={input}>
      <Search input={input} />
    </DialogFrame>
  )
}

/** Mounted while the dialog is open, so that each search begins empty. */
function Search({ input }: { input: React.RefObject<HTMLInputElement | null> }) {
  const { t } = useI18n()
  const router = useRouter()
  const user = useUser()
  const id = useId()
  const [query, setQuery] = useState('')
  const [asked, setAsked] = useState('')
  const afterPause = useTypingPause()
  const [active, setActive] = useState(0)
  const shown = useDeferredValue(query)
  // The field appears at once, and the results in the next frame.
  const ready = useDeferredValue(true, false)
  const entries = useStaticEntries(ready ? user : undefined)
  const server = useFoundEntries(user, asked)
  const found = findEntries([...entries, ...server.entries], shown)
  const searched = ready && asked === query && server.state === 'complete'
  const failed = asked === query && server.state === 'failed'
  const place = Math.min(active, found.length - 1)

  function choose(entry: Entry) {
    searchState.close()
    if ('run' in entry) entry.run()
    else if (entry.newTab) window.open(entry.href, '_blank', 'noopener')
    else void router.navigate({ href: entry.href })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && found.length) {
      event.preventDefault()
      setActive((place + step + found.length) % found.length)
    }
    const chosen = found[place]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      choose(chosen)
    }
  }

  return (
    <search className="block">
      <span className="relative block">
        <SearchIcon className="pointer-events-none absolute inset-y-0 left-3.5 my-auto text-muted" />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label={t('search.placeholder')}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-found`}
          aria-autocomplete="list"
          aria-activedescendant={found.length ? `${id}-${place}` : undefined}
          aria-describedby={`${id}-keys`}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t('search.placeholder')}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value)
            setActive(0)
            afterPause(() => setAsked(target.value))
          }}
          onKeyDown={onKeyDown}
          className="block h-12 w-full text-ellipsis rounded-control border border-edge bg-surface pr-3.5 pl-11.5 text-lead -outline-offset-2 focus:border-brand"
        />
      </span>
      <p id={`${id}-keys`} className="sr-only">
        {t('search.keys')}
      </p>
      <div className="mt-3 -mb-3 h-[60dvh] overflow-y-auto overscroll-contain sm:h-96">
        <SearchResults id={id} found={found} active={place} onActive={setActive} onChoose={choose} />
        <p role="status" className={found.length && !failed ? 'sr-only' : 'px-3 py-4 text-muted'}>
          {failed
            ? t('search.failed')
            : found.length
              ? shown && t('search.found', { count: found.length })
              : searched && t('search.nothing', { query: shown.trim() })}
        </p>
      </div>
    </search>
  )
}
