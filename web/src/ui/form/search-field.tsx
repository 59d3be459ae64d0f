import { useEffect, useRef } from 'react'
import { SearchIcon } from '../icons/signed-in-icons.tsx'
import { useTypingPause } from '../use-typing-pause.ts'
import { CONTROL } from './field.tsx'

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
  const afterPause = useTypingPause()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!text && input.current) input.current.value = ''
  }, [text])
  return (
    <search className="relative block">
      <SearchIcon className="pointer-events-none absolute inset-y-0 left-3.5 my-auto text-muted" />
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
        onChange={({ target }) => afterPause(() => onSearch(lineOf(target.value)))}
        // Enter searches, and does not send a form around the field.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          afterPause()
          onSearch(lineOf(event.currentTarget.value))
        }}
      />
    </search>
  )
}

/** Words that are copied from a table have tabs between them, which calls reject. */
function lineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
