import { useEffect, useRef } from 'react'
import { SearchIcon } from '../icons/signed-in-icons.tsx'
import { CONTROL } from './field.tsx'

/** Milliseconds of pause in typing before validation runs. */
const DEBOUNCE = 250

/** Search field that filters a list while typing. `text` is the filter in use: what the field contains at first, and cleared when it is. */
export function SearchField({
  label,
  placeholder = label,
  text,
  onSearch,
}: {
  label: string
  placeholder?: string
  text?: string | undefined
  onSearch: (text: string) => void
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!text && input.current) input.current.value = ''
  }, [text])
  return (
    <search className="relative block">
      <SearchIcon className="pointer-events-none absolute top-3.5 left-3.5 text-muted" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
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
