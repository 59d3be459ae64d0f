import type { MouseEvent, ReactNode } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'

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

const LOOK = 'min-h-11 items-center rounded-row font-semibold text-brand hover:text-brand-strong hover:underline'

/** A link to registration. Without script a form keeps the query of the address, which the prerendered link does not know. */
export function SignUpLink({ href, onClick }: Pick<StepLinkProps, 'href' | 'onClick'>) {
  const { t } = useI18n()
  return (
    <>
      <StepLink href={href} onClick={onClick} className="noscript:hidden">
        {t('sign-in.signin.up')}
      </StepLink>
      <noscript>
        <form method="post">
          <button type="submit" name="step" value="register" className={classes('flex', LOOK)}>
            {t('sign-in.signin.up')}
          </button>
        </form>
      </noscript>
    </>
  )
}

type StepLinkProps = { way?: string; href: string; onClick: () => void; className?: string; children: ReactNode }

/** A link to another step, which keeps what was entered in this one. */
export function StepLink({ way, href, onClick, className, children }: StepLinkProps) {
  function follow(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onClick()
  }
  return (
    <a data-way={way} href={href} onClick={follow} className={classes('flex', LOOK, className)}>
      {children}
    </a>
  )
}
