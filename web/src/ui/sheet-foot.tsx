import type { ReactNode } from 'react'

/** The buttons of a sheet whose content may be long: they stay in sight, and a line says that more goes on beneath. */
export function SheetFoot({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-6 -mb-6 flex flex-col-reverse gap-3 border-t border-line bg-surface pt-4 pb-6 sm:-bottom-7 sm:-mb-7 sm:flex-row sm:justify-end sm:pb-7">
      {children}
    </div>
  )
}
