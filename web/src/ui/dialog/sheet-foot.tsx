import type { ReactNode } from 'react'

/** Buttons of a long sheet, sticky where they leave room for its fields. */
export function SheetFoot({ children }: { children: ReactNode }) {
  return (
    <div className="-bottom-6 -mb-6 flex flex-col-reverse gap-3 border-t border-line bg-surface pt-4 pb-6 tall:sticky sm:-bottom-7 sm:-mb-7 sm:flex-row sm:flex-wrap-reverse sm:justify-end sm:pb-7">
      {children}
    </div>
  )
}
