import type { QuickStart } from '@vrata/contract/quick-start'
import { useId } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'

type Props = { platforms: readonly QuickStart[]; value: string; onChange: (key: string) => void }

/** Choice of platform. */
export function PlatformField({ platforms, value, onChange }: Props) {
  const { t } = useI18n()
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="mb-2 font-semibold">{t('clients.quick.platform')}</legend>
      {platforms.map(({ key, title }) => (
        <label
          key={key}
          className={classes(
            'flex min-h-11 cursor-pointer items-center rounded-control border px-4 font-semibold outline-offset-2 outline-focus transition-colors duration-150 has-focus-visible:outline-3',
            key === value
              ? 'border-brand bg-brand-soft text-brand-strong'
              : 'border-line bg-surface text-ink hover:border-edge hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={key === value}
            onChange={() => onChange(key)}
            className="absolute size-px appearance-none opacity-0"
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}
