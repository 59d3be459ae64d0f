import type { MouseEvent, ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'

/** Links below a step. */
export function StepLinks({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6">{children}</div>
}

/** A question with its link. Without script there is no registration, so the question is hidden. */
export function StepPrompt({ ask, children }: { ask: ReactNode; children: ReactNode }) {
  return (
    <p className={classes('flex flex-wrap items-center gap-x-2 text-muted', Boolean(ask) && 'noscript:hidden')}>
      {ask} {children}
    </p>
  )
}

/** A link to another step, which keeps what was entered in this one. */
export function StepLink({ href, onClick, children }: { href: string; onClick: () => void; children: ReactNode }) {
  function follow(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onClick()
  }
  return (
    <a
      href={href}
      onClick={follow}
      className="flex min-h-11 items-center rounded-row font-semibold text-brand hover:text-brand-strong hover:underline"
    >
      {children}
    </a>
  )
}
