import type { InvitationState } from '@vrata/contract/members'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DoorAjar } from '../../ui/error-state.tsx'
import { PublicCard } from '../../ui/public-card.tsx'

/** A link that lets nobody in any more: what became of it, and what to do (specification §8). */
export function Ended({ state }: { state: Exclude<InvitationState, 'waiting'> | 'unknown' }) {
  const { t } = useI18n()
  return (
    <PublicCard>
      <div role="alert" className="mb-7 flex flex-col items-center text-center">
        <DoorAjar />
        <h1 tabIndex={-1} className="text-head">
          {t(`invitations.ended.${state}`)}
        </h1>
        <p className="mt-2 text-lead text-muted">{t(`invitations.ended.${state}_text`)}</p>
      </div>
      <ButtonLink look="primary" wide href={state === 'accepted' ? paths.developers : paths.home}>
        {t(state === 'accepted' ? 'invitations.open' : 'invitations.home')}
      </ButtonLink>
    </PublicCard>
  )
}
