import type { ReactNode } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { DoorAjar } from '../../ui/error-state.tsx'
import { PublicCard } from '../../ui/public-card.tsx'

/** A link from a mail that is too old, used up, or cut off on its way (specification §8). */
export function LinkNotValid({ text, children }: { text: ReactNode; children: ReactNode }) {
  const { t } = useI18n()
  return (
    <PublicCard>
      <div role="alert" className="mb-7 flex flex-col items-center text-center">
        <DoorAjar />
        <h1 tabIndex={-1} className="text-head">
          {t('auth.link.bad')}
        </h1>
        <p className="mt-2 text-lead text-muted">{text}</p>
      </div>
      {children}
    </PublicCard>
  )
}
