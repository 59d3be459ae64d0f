import type { MouseEvent, ReactNode } from 'react'
import type { Step } from './use-step.ts'

/** Links below a step. */
export function StepLinks({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6">{children}</div>
}

/** A question with its link. */
export function StepPrompt({ way, ask, children }: { way?: string; ask: ReactNode; children: ReactNode }) {
  return (
    <div data-way={way} className="flex flex-wrap items-center gap-x-2 text-muted">
      {ask} {children}
    </div>
  )
}

const LOOK = 'flex min-h-11 items-center rounded-row font-semibold text-brand hover:text-brand-strong hover:underline'

type StepLinkProps = { to: Step; way?: string; href: string; onClick: () => void; children: ReactNode }

/**
 * A link to another step, which keeps what was entered in this one. Without script a form keeps the query of the address, which the
 * prerendered link does not know; browsers with script do not render it.
 */
export function StepLink({ to, way, href, onClick, children }: StepLinkProps) {
  function follow(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onClick()
  }
  return (
    <div data-way={way} className="flex">
      <a href={href} onClick={follow} className={`${LOOK} noscript:hidden`}>
        {children}
      </a>
      <noscript>
        {import.meta.env.SSR && (
          <form method="post">
            <button type="submit" name={`to_${to}`} className={LOOK}>
              {children}
            </button>
          </form>
        )}
      </noscript>
    </div>
  )
}
