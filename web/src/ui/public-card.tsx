import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type PublicCardProps = {
  title?: string
  text?: ReactNode
  /** A doorway beside the card from 1024 px on; the card grows to 900 px. */
  aside?: ReactNode
  /** The buttons of a decision: below a line, and held at the bottom of the screen on phones. */
  foot?: ReactNode
  /** Title and text in the middle, for pages that say one thing. */
  centred?: boolean
  children?: ReactNode
}

/** The one card of a public page. */
export function PublicCard({ title, text, aside, foot, centred, children }: PublicCardProps) {
  return (
    <div
      className={classes(
        'w-full max-w-120 rounded-panel border border-line bg-surface shadow-popup',
        aside !== undefined && 'lg:grid lg:max-w-225 lg:grid-cols-[minmax(0,1fr)_24rem] lg:overflow-clip',
      )}
    >
      <div className="flex min-w-0 flex-col justify-center">
        <div className="px-6 py-8 sm:px-10 sm:py-10">
          {title && (
            <header className={classes('mb-7', centred && 'text-center')}>
              <h1 tabIndex={-1} className="text-display">
                {title}
              </h1>
              {text && <p className="mt-2 text-lead text-muted">{text}</p>}
            </header>
          )}
          {children}
        </div>
        {foot && (
          <div className="sticky bottom-0 flex gap-3 rounded-b-panel border-t border-line bg-surface p-4 *:min-w-0 *:flex-1 sm:static sm:px-10 sm:py-5">
            {foot}
          </div>
        )}
      </div>
      {aside !== undefined && <div className="hidden lg:grid">{aside}</div>}
    </div>
  )
}
