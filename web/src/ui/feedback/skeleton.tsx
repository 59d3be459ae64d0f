import { classes } from '../classes.ts'

/** Not part of `className`, because the order of the stylesheet would decide between two radii. */
export type Corner = 'rounded-row' | 'rounded-control' | 'rounded-card' | 'rounded-full'

/** A placeholder bar sized by `className`. Appears after 150 ms, so that fast responses do not flicker. */
export function Shimmer({ className, corner = 'rounded-row' }: { className?: string; corner?: Corner }) {
  return <span aria-hidden="true" className={classes('shimmer block', corner, className)} />
}

/** Placeholder rows of a loading list; `label` announces it. */
export function SkeletonRows({ rows = 3, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex min-h-15 items-center gap-4 px-5 py-2.5 sm:px-6">
          <Shimmer className="size-5" corner="rounded-full" />
          <Shimmer className={classes('h-3.5', row % 2 ? 'w-2/5' : 'w-1/2')} />
          <Shimmer className="ml-auto h-3.5 w-16" />
        </div>
      ))}
    </div>
  )
}
