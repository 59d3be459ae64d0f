import type { ReactNode } from 'react'

type EmptyStateProps = {
  title?: string
  text: ReactNode
  action?: ReactNode
  /** `h1` where it is the whole page. */
  heading?: 'h1' | 'h2'
}

/** Empty list: illustration, explanation and an action. */
export function EmptyState({ title, text, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <svg aria-hidden="true" width="72" height="88" viewBox="0 0 72 88" fill="none" strokeWidth="2" className="mb-5">
        <path d="M8 86V36a28 28 0 0 1 56 0v50" className="stroke-edge" />
        <path d="M16 86V36a20 20 0 0 1 40 0v50M36 16v70" className="stroke-line" />
        <path d="M2 86h68" className="stroke-edge" strokeLinecap="round" />
        <circle cx="42" cy="54" r="2.5" className="fill-accent" />
      </svg>
      {title && <Heading className="mb-1 text-title">{title}</Heading>}
      <p className="max-w-90 text-lead text-muted">{text}</p>
      {action && <div className="mt-6">{action}</div>}
    </div>
  )
}
