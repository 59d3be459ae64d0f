import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type DoorwayProps = {
  /** Words on the wall above the arch. */
  head?: ReactNode
  /** `lamp`: light behind the door (the QR code). `paper`: a page in the doorway (the consent preview). */
  light?: 'lamp' | 'paper'
  className?: string
  children: ReactNode
}

/** The wall with its arch: sign-in by phone, and what people will see of an app. Nowhere else. */
export function Doorway({ head, light = 'lamp', className, children }: DoorwayProps) {
  return (
    <div
      className={classes(
        'doorway flex flex-col items-center overflow-hidden px-7',
        head ? 'pt-6' : 'pt-16',
        light === 'paper' && 'rounded-card',
        className,
      )}
    >
      {head && <div className="pb-6 text-center text-paper">{head}</div>}
      <div
        className={classes(
          'flex w-full max-w-77 grow flex-col items-center rounded-arch px-6 pb-8 text-center',
          light === 'lamp'
            ? 'lamplight border-10 border-b-0 border-frame pt-16 text-night'
            : 'border border-b-0 border-line bg-surface pt-12 text-ink',
        )}
      >
        {children}
      </div>
    </div>
  )
}
