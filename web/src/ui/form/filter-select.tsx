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

/** A filter of a list. A value that is not among the options, for example from the address, is shown as it is. */
export function FilterSelect({ label, all, value = '', options, onChoose, className }: FilterSelectProps) {
  const unknown = value && !options.some(([known]) => known === value)
  return (
    <SelectField className={className} label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{all}</option>
      {unknown && <option value={value}>{value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}
