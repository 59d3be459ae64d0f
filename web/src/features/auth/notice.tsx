import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'

/** One sentence above a form that is not about what was just sent: what came before, or what has been done. */
export function Notice({ look, children }: { look: 'danger' | 'ok'; children: ReactNode }) {
  const Icon = look === 'danger' ? AlertIcon : CheckIcon
  return (
    <p
      role={look === 'danger' ? 'alert' : 'status'}
      className={classes(
        'mb-5 flex gap-3 rounded-control px-4 py-3 font-medium',
        look === 'danger' ? 'bg-danger-soft' : 'bg-brand-soft',
      )}
    >
      <Icon className={classes('mt-0.5 shrink-0', look === 'danger' ? 'text-danger' : 'text-ok')} />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
