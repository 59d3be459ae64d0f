import { classes } from './classes.ts'
import { ChevronDownIcon, GlobeIcon } from './icons.tsx'

export type LanguageSelectProps = {
  /** Name for screen readers: "Language". */
  label: string
  value: string
  /** Each language in its own name. */
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
  className?: string
}

/** The interface language: the browser's own select, so that public pages do not pay for a popup. */
export function LanguageSelect({ label, value, options, onChange, className }: LanguageSelectProps) {
  return (
    <label className={classes('relative inline-flex items-center text-muted hover:text-ink', className)}>
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
