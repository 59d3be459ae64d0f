import { classes } from './classes.ts'

/** Not part of `className`: of two corners the stylesheet would choose, and not whoever wrote the second. */
export type Corner = 'rounded-row' | 'rounded-control' | 'rounded-card' | 'rounded-full'

/** One shimmering bar; give it size through `className`. It shows after 150 ms, so quick answers never flicker. */
export function Shimmer({ className, corner = 'rounded-row' }: { className?: string; corner?: Corner }) {
  return <span aria-hidden="true" className={classes('shimmer block', corner, className)} />
}

/** Rows as high as the real ones, inside a card, while a list is on its way. `label` says so to screen readers. */
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
