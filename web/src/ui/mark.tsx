import { classes } from './classes.ts'

/** The sign of Vrata: an arch, its door ajar, lamplight behind. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 28 28" className="shrink-0">
      <path d="M3 27V13a11 11 0 0 1 22 0v14z" className="fill-mark" />
      <path d="M6 27V13a8 8 0 0 1 16 0v14z" fill="#f9bb51" />
      <path d="M6 27V13a8 8 0 0 1 8-8c2.6 1.800 3.500 5 3.500 9V27z" fill="#00807c" />
      <circle cx="14.6" cy="16.500" r="1" fill="#fff0d0" />
    </svg>
  )
}

/** Sign and name side by side. The name is never translated or inflected. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={classes('flex w-fit items-center gap-2.5 text-title font-heading tracking-heading', className)}>
      <Mark />
      Vrata
    </span>
  )
}
