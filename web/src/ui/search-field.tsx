import { useEffect, useRef } from 'react'
import { CONTROL } from './field.tsx'
import { SearchIcon } from './inner-icons.tsx'

/** How long somebody must have stopped typing before anybody looks, in milliseconds. */
const PAUSE = 250

/** Narrows the list beneath it while somebody types. */
export function SearchField({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <search className="relative block">
      <SearchIcon className="pointer-events-none absolute top-3.5 left-3.5 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        className={`${CONTROL} h-12 pl-11`}
        onChange={({ target }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => onSearch(target.value.trim()), PAUSE)
        }}
      />
    </search>
  )
}
