import { classes } from '../classes.ts'
import { ChevronDownIcon, GlobeIcon } from '../icons/icons.tsx'

export type LanguageSelectProps = {
  /** Accessible name: "Language". */
  label: string
  value: string
  /** Languages by their own names. */
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
  className?: string
}

/** Native select for the language, so that public pages load no popup code. */
export function LanguageSelect({ label, value, options, onChange, className }: LanguageSelectProps) {
  return (
    <label
      className={classes('relative inline-flex items-center text-muted hover:text-ink noscript:hidden', className)}
    >
      <span className="sr-only">{label}</span>
      <GlobeIcon size={18} className="pointer-events-none absolute left-3" />
      <select
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="field-sizing-content min-h-11 cursor-pointer appearance-none rounded-control bg-transparent pr-9 pl-10 font-semibold transition-colors duration-150 hover:bg-sunken"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.value} className="bg-surface text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDownIcon size={16} className="pointer-events-none absolute right-3" />
    </label>
  )
}
