import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

export type PublicCardProps = {
  title?: ReactNode
  text?: ReactNode
  /** Content beside the card from 1024 px; the card grows to 900 px. */
  aside?: ReactNode
  /** Buttons of a decision, sticky at the bottom of the window. The content then starts closer to the top. */
  foot?: ReactNode
  /** Centers title and text. */
  centered?: boolean
  children?: ReactNode
}

/** The card of a public page. */
export function PublicCard({ title, text, aside, foot, centered, children }: PublicCardProps) {
  return (
    <div
      className={classes(
        'w-full max-w-120 rounded-panel border border-line bg-surface shadow-popup',
        aside !== undefined && 'lg:grid lg:max-w-225 lg:grid-cols-[minmax(0,1fr)_24rem] lg:overflow-clip',
      )}
    >
      <div className="flex min-w-0 flex-col justify-center">
        <div className={classes('px-6 sm:px-10', foot ? 'py-5 sm:py-7' : 'py-8 sm:py-10')}>
          {title && (
            <header className={classes('mb-7', centered && 'text-center')}>
              <h1 tabIndex={-1} className="text-display">
                {title}
              </h1>
              {text && <p className="mt-2 text-lead text-muted">{text}</p>}
            </header>
          )}
          {children}
        </div>
        {foot && (
          <div className="sticky bottom-0 flex flex-wrap gap-3 rounded-b-panel border-t border-line bg-surface px-4 py-3 *:grow *:basis-24 sm:px-10 sm:py-4">
            {foot}
          </div>
        )}
      </div>
      {aside !== undefined && <div className="hidden lg:grid">{aside}</div>}
    </div>
  )
}
