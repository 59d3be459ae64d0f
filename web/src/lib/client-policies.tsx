import type { Boot } from '@vrata/contract'
import { classes } from '../ui/classes.ts'
import { useI18n } from './i18n.tsx'

type Policies = Pick<NonNullable<Boot['continue_to']>, 'privacy_policy_url' | 'terms_of_service_url'>

/** Links to the privacy policy and the terms of service of an app. Nothing for an app that has neither. */
export function ClientPolicies({ client, className }: { client: Policies; className?: string }) {
  const { t } = useI18n()
  const link = (name: keyof Policies, text: string) =>
    client[name] && (
      <a
        href={client[name]}
        data-app={name}
        target="_blank"
        rel="noopener noreferrer"
        className="font-semibold text-brand underline underline-offset-4 hover:text-brand-strong"
      >
        {text}
        <span className="sr-only"> ({t('ui.opens_new_tab')})</span>
      </a>
    )
  if (!client.privacy_policy_url && !client.terms_of_service_url) return null
  return (
    <span className={classes('flex flex-wrap gap-x-4 gap-y-1', className)}>
      {link('privacy_policy_url', t('ui.privacy_policy'))}
      {link('terms_of_service_url', t('ui.terms_of_service'))}
    </span>
  )
}
