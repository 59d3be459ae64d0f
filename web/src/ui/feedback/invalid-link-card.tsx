import type { ReactNode } from 'react'
import { PublicCard } from '../layout/public-card.tsx'
import { DoorAjar } from './error-state.tsx'

/** A mailed link that cannot be used (product §8): title, explanation, and what to do instead as children. */
export function InvalidLinkCard({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <PublicCard>
      <div role="alert" className="mb-7 flex flex-col items-center text-center">
        <DoorAjar />
        <h1 tabIndex={-1} className="text-head">
          {title}
        </h1>
        <p className="mt-2 text-lead text-muted">{text}</p>
      </div>
      {children}
    </PublicCard>
  )
}
