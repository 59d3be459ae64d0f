import type { ReactNode } from 'react'

/** Content up to 960 px with 336 px beside it, which stays below the offline bar; stacked on narrow screens. */
export function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-6 xl:flex-row xl:items-start">
      <div className="w-full min-w-0 max-w-240 space-y-6">{children}</div>
      <aside className="w-full max-w-120 shrink-0 xl:sticky xl:top-[calc(var(--notice-height,0px)+1.5rem)] xl:w-84">
        {aside}
      </aside>
    </div>
  )
}
