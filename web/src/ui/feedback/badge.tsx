import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

/** `on`: enabled. `accent`: new. `off`: disabled or ended. */
export type BadgeLook = 'on' | 'accent' | 'off' | 'danger'

const LOOKS: Record<BadgeLook, { ground: string; dot?: string }> = {
  on: { ground: 'bg-brand-soft text-brand-strong', dot: 'bg-ok' },
  accent: { ground: 'bg-accent-soft text-on-accent' },
  off: { ground: 'bg-sunken text-muted', dot: 'bg-edge' },
  danger: { ground: 'bg-danger-soft text-danger', dot: 'bg-danger' },
}

/** Short state beside a name. */
export function Badge({ look, children }: { look: BadgeLook; children: ReactNode }) {
  const { ground, dot } = LOOKS[look]
  return (
    <span
      className={classes(
        'inline-flex min-h-6 max-w-full shrink-0 items-center gap-1.5 rounded-full px-2.5 text-small font-semibold',
        ground,
      )}
    >
      {dot && <span aria-hidden="true" className={classes('size-1.5 rounded-full', dot)} />}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  )
}
