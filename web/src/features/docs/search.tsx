import { useRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { SearchIcon } from '../../ui/icons/signed-in-icons.tsx'
import { type FoundSection, findSections } from './find-sections.ts'
import { docPages, loadSections } from './pages.ts'
import type { Sections } from './tree.ts'

/** Searches pages and sections while typing. `/` focuses it, arrow keys select, Enter opens. */
export function Search() {
  const { t } = useI18n()
  const router = useRouter()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [sections, setSections] = useState<Sections>()
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const deferredQuery = useDeferredValue(query)
  const found = useMemo(() => findSections(sections ?? [], deferredQuery), [sections, deferredQuery])
  const shown = open && deferredQuery.trim() !== '' && sections !== undefined
  useSlash(input)

  function handleFocus() {
    setOpen(true)
    void loadSections().then(setSections)
  }

  function go({ page, anchor }: FoundSection) {
    setOpen(false)
    setQuery('')
    input.current?.blur()
    void router.navigate({ href: paths.guide(page, anchor) })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      if (query) setQuery('')
      else input.current?.blur()
      return
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && found.length) {
      event.preventDefault()
      setActive((now) => (now + step + found.length) % found.length)
    }
    const chosen = found[active]
    if (event.key === 'Enter' && shown && chosen) {
      event.preventDefault()
      go(chosen)
    }
  }

  return (
    <search className="relative block">
      <label htmlFor={id} className="sr-only">
        {t('docs.search')}
      </label>
      <SearchIcon className="pointer-events-none absolute top-3 left-3 text-muted" />
      <input
        ref={input}
        id={id}
        type="search"
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={shown && found.length ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('docs.search')}
        value={query}
        onFocus={handleFocus}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
        className="peer block h-12 w-full rounded-control border border-edge bg-surface pr-3 pl-11 text-lead lg:pr-11 -outline-offset-2 focus:border-brand"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-3 right-3 hidden rounded-row border border-line px-2 font-mono text-small leading-5 text-muted peer-focus:hidden lg:block"
      >
        /
      </span>
      <div
        id={`${id}-found`}
        role="listbox"
        aria-label={t('docs.found')}
        hidden={!shown || !found.length}
        className="absolute inset-x-0 top-full z-10 mt-2 max-h-[70dvh] overflow-y-auto rounded-card border border-line bg-surface p-1.5 shadow-popup"
      >
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps focus and handles keys
          <div
            key={`${one.page}#${one.anchor}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setActive(index)}
            onClick={() => go(one)}
            className={classes('cursor-pointer rounded-row px-3 py-2.5', index === active && 'bg-brand-soft')}
          >
            <div lang="en" className="font-semibold">
              {one.heading}
            </div>
            <div lang="en" className="text-small text-muted">
              {one.anchor ? `${titleOf(one.page)} · ` : ''}
              {one.excerpt}
            </div>
          </div>
        ))}
      </div>
      <p
        role="status"
        className={
          shown && !found.length
            ? 'absolute inset-x-0 top-full z-10 mt-2 rounded-card border border-line bg-surface px-4 py-3 text-muted shadow-popup'
            : 'sr-only'
        }
      >
        {shown ? t(found.length ? 'docs.found_count' : 'docs.found_nothing', { count: found.length }) : ''}
      </p>
    </search>
  )
}

const titleOf = (page: string) => docPages.find((one) => one.page === page)?.title ?? ''

/** `/` focuses the search unless an input has focus. */
function useSlash(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const writing = event.target instanceof Element && event.target.closest('input,textarea,select,[contenteditable]')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writing) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [input])
}
