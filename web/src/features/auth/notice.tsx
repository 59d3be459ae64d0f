import type { ReactNode } from 'react'
import { AlertIcon } from '../../ui/icons.tsx'

/** One sentence above a form about what went wrong before the page was there. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mb-5 flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
      <AlertIcon className="mt-0.5 text-danger" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
