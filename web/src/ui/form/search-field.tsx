import { useEffect, useRef } from 'react'
import { SearchIcon } from '../icons/signed-in-icons.tsx'
import { CONTROL } from './field.tsx'

/** Milliseconds of pause in typing before validation runs. */
const DEBOUNCE = 250

/** Search field that filters a list while typing. `text` is what it contains at first. */
export function SearchField({
  label,
  text,
  onSearch,
}: {
  label: string
  text?: string | undefined
  onSearch: (text: string) => void
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <search className="relative block">
      <SearchIcon className="pointer-events-none absolute top-3.5 left-3.5 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        className={`${CONTROL} h-12 pl-11`}
        onChange={({ target }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => onSearch(target.value.trim()), DEBOUNCE)
        }}
      />
    </search>
  )
}
