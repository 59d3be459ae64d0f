import { useI18n } from '../../../lib/i18n.tsx'
import { FieldSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'

type LifetimeFieldProps = {
  name: 'access_token_ttl' | 'refresh_token_ttl'
  /** Seconds, like the value. */
  choices: readonly number[]
  value: number
  onChange: (seconds: number) => void
}

/** Lifetime from a list of choices, plus a value set through the API. */
export function LifetimeField({ name, choices, value, onChange }: LifetimeFieldProps) {
  const { t } = useI18n()
  const duration = useDuration()
  const offered = [...new Set([...choices, value])].sort((a, b) => a - b)
  return (
    <SelectField
      name={name}
      status={<FieldSaveState name={name} />}
      label={t(`clients.advanced.${name}`)}
      hint={t(`clients.advanced.${name}_hint`)}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {offered.map((seconds) => (
        <option key={seconds} value={seconds}>
          {duration(seconds)}
        </option>
      ))}
    </SelectField>
  )
}

/** Formats seconds in the largest whole unit. */
export function useDuration(): (seconds: number) => string {
  const { t } = useI18n()
  return (seconds) => {
    if (seconds % 86_400 === 0) return t('clients.days', { count: seconds / 86_400 })
    if (seconds % 3600 === 0) return t('clients.hours', { count: seconds / 3600 })
    return t('clients.minutes', { count: Math.round(seconds / 60) })
  }
}
