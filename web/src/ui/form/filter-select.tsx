import { useState } from 'react'
import { SelectField } from './select-field.tsx'

/** Values and labels. */
export type FilterOptions = readonly (readonly [value: string, label: string])[]

export type FilterSelectProps = {
  label: string
  /** Label of the first option, which removes the filter. */
  all: string
  value: string | undefined
  options: FilterOptions
  /** Receives an empty string when the filter is removed. */
  onChoose: (value: string) => void
  className?: string
}

/**
 * A filter of a list. A value that is no longer among the options, as while rows that name it load again, keeps its label. One that never
 * was, for example from the address, is shown as it is.
 */
export function FilterSelect({ label, all, value = '', options, onChoose, className }: FilterSelectProps) {
  const [labels] = useState(() => new Map<string, string>())
  for (const [option, text] of options) labels.set(option, text)
  const unknown = value && !options.some(([known]) => known === value)
  return (
    <SelectField className={className} label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{all}</option>
      {unknown && <option value={value}>{labels.get(value) ?? value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}
