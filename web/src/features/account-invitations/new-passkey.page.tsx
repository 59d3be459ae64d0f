import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams } from '@tanstack/react-router'
import * as accountInvitations from '@vrata/contract/account-invitations'
import { paths } from '@vrata/contract/page-addresses'
import { CallError, callQuery } from '../../lib/api/use-call.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { InvalidLinkCard } from '../../ui/feedback/invalid-link-card.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { PasskeyByLink } from './passkey-by-link.tsx'

/** `/new-passkey/{token}`: the person sets up a passkey and is signed in. The button is shown at once. */
export function NewPasskeyPage() {
  const { token = '' } = useParams({ strict: false })
  const { t } = useI18n()
  const context = useAppContext()
  const link = useQuery({
    ...callQuery(context, accountInvitations.checkPasskeyLink, { token }),
    enabled: useHydrated(),
  })
  if (link.error instanceof CallError && link.error.problem.code === 'invalid_token')
    return (
      <InvalidLinkCard title={t('account-invitations.invalid')} text={t('account-invitations.new_passkey.invalid')}>
        <ButtonLink href={paths.login()} wide>
          {t('account-invitations.login')}
        </ButtonLink>
      </InvalidLinkCard>
    )
  const email = link.data?.email
  return (
    <PublicCard
      title={t('account-invitations.new_passkey')}
      text={email ? t('account-invitations.new_passkey.for', { email }) : t('account-invitations.new_passkey.text')}
    >
      <PasskeyByLink
        look="primary"
        label={t('account-invitations.new_passkey.do')}
        options={() => context.api(accountInvitations.passkeyLinkOptions, { token })}
        add={(created) => context.api(accountInvitations.addPasskeyByLink, { token, ...created })}
      />
      <noscript>
        <p className="text-muted">{t('account-invitations.new_passkey.script')}</p>
      </noscript>
    </PublicCard>
  )
}
