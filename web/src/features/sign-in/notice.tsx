import type { ReactNode } from 'react'
import { MessageText } from '../../ui/form/form.tsx'

/** Error above a form from before the page loaded. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="mb-5">
      <MessageText>{children}</MessageText>
    </div>
  )
}
