import type { ReactNode } from 'react'

export type PageHeadProps = {
  title: string
  text?: ReactNode
  picture?: ReactNode
  badge?: ReactNode
  action?: ReactNode
}

/** The `h1` of a page with related content. Navigation moves focus to it. */
export function PageHead({ title, text, picture, badge, action }: PageHeadProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-5 gap-y-4">
      {picture}
      <div className="min-w-0 grow basis-52">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="min-w-0 text-display">
            {title}
          </h1>
          {badge}
        </div>
        {text && <p className="mt-1 text-lead text-muted">{text}</p>}
      </div>
      {action}
    </header>
  )
}
