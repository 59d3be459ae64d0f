import type { Consent } from '@vrata/contract/connections'
import { isolated } from '@vrata/phrases/message'
import { useI18n } from '../../../lib/i18n.tsx'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { BareSwitch } from '../../../ui/form/switch.tsx'
import { ChevronDownIcon } from '../../../ui/icons/icons.tsx'
import { scopeIcon } from '../../../ui/icons/scope-icon.ts'

type RequestedScopeProps = {
  scope: Consent['scopes'][number]
  /** The user has allowed the app before, so that scopes which are not granted yet are marked as new. */
  returning: boolean
  /** Values of the user that the scope reveals. */
  values: string[]
  on: boolean
  onChange: (on: boolean) => void
}

/**
 * A requested scope with an expandable description, if it has one. A switch appears for optional scopes that are not granted yet;
 * granted ones are revoked in Connected apps.
 */
export function RequestedScope({ scope, returning, values, on, onChange }: RequestedScopeProps) {
  const { t } = useI18n()
  const { key, title, description, granted, required, sensitive } = scope
  const Sign = scopeIcon(key)
  const facts = (
    <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 font-medium">{title}</span>
      {sensitive && <Badge look="danger">{t('connections.sensitive')}</Badge>}
      {returning && !granted && <Badge look="accent">{t('connections.fresh')}</Badge>}
      {values.length > 0 && <span className="w-full text-small text-muted">{values.map(isolated).join(' · ')}</span>}
    </span>
  )
  return (
    <li className="flex flex-wrap items-start gap-x-3 py-2">
      <span className="mt-0.5 flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand-strong">
        <Sign />
      </span>
      {description ? (
        <details className="group min-w-0 grow basis-28" open={sensitive}>
          <summary className="-mx-1.5 flex min-h-11 list-none items-center gap-3 rounded-row px-1.5 [&::-webkit-details-marker]:hidden">
            {facts}
            <ChevronDownIcon
              size={18}
              className="mt-3.5 self-start text-muted transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <p className="pt-0.5 pb-2 text-muted">{description}</p>
        </details>
      ) : (
        <div className="flex min-h-11 min-w-0 grow basis-28 items-center">{facts}</div>
      )}
      {!required && !granted && (
        <BareSwitch
          className="ml-auto"
          label={t('connections.optional', { scope: title })}
          checked={on}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </li>
  )
}
