import type { ClientType } from '@vrata/contract/clients'
import { useI18n } from '../../../lib/i18n.tsx'
import { CLIENT_TYPE_ICONS } from './client-type-icons.ts'

type ClientTypeFieldProps = {
  label: string
  kinds: readonly ClientType[]
  value: ClientType
  onChange: (kind: ClientType) => void
}

/** Choice of the type of app, each with an explanation. */
export function ClientTypeField({ label, kinds, value, onChange }: ClientTypeFieldProps) {
  const { t } = useI18n()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <div className="space-y-2">
        {kinds.map((kind) => {
          const Sign = CLIENT_TYPE_ICONS[kind]
          return (
            <label
              key={kind}
              className="flex cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2.5 outline-offset-2 outline-focus transition-colors duration-150 hover:border-edge has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-3"
            >
              <input
                type="radio"
                name="type"
                value={kind}
                checked={kind === value}
                onChange={() => onChange(kind)}
                className="peer absolute size-px appearance-none opacity-0"
              />
              <Sign className="text-muted peer-checked:text-brand-strong" />
              <span className="min-w-0 grow wrap-anywhere">
                <span className="block font-medium">{t(`clients.kind.${kind}`)}</span>
                <span className="block text-small text-muted">{t(`clients.kind.${kind}_text`)}</span>
              </span>
              <span
                aria-hidden="true"
                className="size-5 shrink-0 rounded-full border border-edge bg-surface peer-checked:border-6 peer-checked:border-brand"
              />
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
