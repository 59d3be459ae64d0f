import type { InvitationState } from '@vrata/contract/members'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../../lib/i18n.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { InvalidLinkCard } from '../../../ui/feedback/invalid-link-card.tsx'

/** An invitation that cannot be accepted any more, with its reason (product §8.3). */
export function InvitationEnded({ state }: { state: Exclude<InvitationState, 'waiting'> | 'unknown' }) {
  const { t } = useI18n()
  return (
    <InvalidLinkCard title={t(`invitations.ended.${state}`)} text={t(`invitations.ended.${state}_text`)}>
      <ButtonLink look="primary" wide href={state === 'accepted' ? paths.developers : paths.home}>
        {t(state === 'accepted' ? 'invitations.open' : 'invitations.home')}
      </ButtonLink>
    </InvalidLinkCard>
  )
}
