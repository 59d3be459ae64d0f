import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

type FactsProps = {
  /** Rows without a value are not rendered. */
  facts: readonly (readonly [name: string, value: ReactNode])[]
  className?: string
}

/** Names and values in rows. */
export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={classes('divide-y divide-line border-y border-line', className)}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex flex-wrap gap-x-4 py-2.5">
              <dt className="w-28 shrink-0 text-muted">{name}</dt>
              <dd className="min-w-0 grow basis-32 font-medium">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
