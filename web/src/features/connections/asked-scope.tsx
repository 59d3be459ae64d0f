import type { Consent } from '@vrata/contract/connections'
import { useI18n } from '../../lib/i18n.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ChevronDownIcon } from '../../ui/icons.tsx'
import { scopeIcon } from '../../ui/scope-icon.ts'
import { BareSwitch } from '../../ui/switch.tsx'

type AskedScopeProps = {
  scope: Consent['scopes'][number]
  /** What of this person the app would learn by it. */
  values: string[]
  on: boolean
  onChange: (on: boolean) => void
}

/**
 * One thing that the app asks for; what it means opens in place. A switch stands where the person may decline it: not at
 * what a sign-in needs, nor at what is allowed already, which is taken back in Connected apps.
 */
export function AskedScope({ scope, values, on, onChange }: AskedScopeProps) {
  const { t } = useI18n()
  const { key, title, description, granted, required, sensitive } = scope
  const Sign = scopeIcon(key)
  return (
    <li className="flex items-start gap-3 py-2">
      <span className="mt-0.5 flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand-strong">
        <Sign />
      </span>
      <details className="group min-w-0 grow" open={sensitive}>
        <summary className="-mx-1.5 flex min-h-11 list-none items-center gap-3 rounded-row px-1.5 [&::-webkit-details-marker]:hidden">
          <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 font-medium">{title}</span>
            {sensitive && <Badge look="danger">{t('connections.sensitive')}</Badge>}
            {!granted && <Badge look="lamp">{t('connections.fresh')}</Badge>}
            {values.length > 0 && (
              <span className="w-full text-small break-words text-muted">{values.join(' · ')}</span>
            )}
          </span>
          <ChevronDownIcon
            size={18}
            className="mt-3.5 self-start text-muted transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <p className="pt-0.5 pb-2 text-muted">{description}</p>
      </details>
      {!required && !granted && (
        <BareSwitch
          label={t('connections.optional', { scope: title })}
          checked={on}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </li>
  )
}
