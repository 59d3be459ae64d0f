import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

type DoorwayProps = {
  /** Content above the arch. */
  head?: ReactNode
  /** `light`: lit background (QR code). `page`: a page (consent preview). */
  variant?: 'light' | 'page'
  className?: string
  children: ReactNode
}

/** The arch illustration around the QR code and the consent preview (design §2.1). */
export function Doorway({ head, variant = 'light', className, children }: DoorwayProps) {
  return (
    <div
      className={classes(
        'doorway flex flex-col items-center overflow-hidden px-7',
        head ? 'pt-6' : 'pt-16',
        variant === 'page' && 'rounded-card',
        className,
      )}
    >
      {head && <div className="pb-6 text-center text-white">{head}</div>}
      <div
        className={classes(
          'flex w-full max-w-77 grow flex-col items-center rounded-arch px-6 pb-8 text-center',
          variant === 'light'
            ? 'doorway-light border-10 border-b-0 border-frame pt-16 text-on-light'
            : 'border border-b-0 border-line bg-surface pt-12 text-ink',
        )}
      >
        {children}
      </div>
    </div>
  )
}
