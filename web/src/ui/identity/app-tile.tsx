import type { ReactNode } from 'react'
import { ChevronRightIcon } from '../icons/signed-in-icons.tsx'
import { Link } from '../navigation/link.tsx'
import { Picture } from './picture.tsx'

export type AppTileProps = {
  app: { name: string; icon: string | null }
  /** Line below the name. */
  line?: ReactNode
  /** Beside the name: "Disabled", "New". */
  badge?: ReactNode
  href: string
}

/** An app in a list; the whole tile is a link. */
export function AppTile({ app, line, badge, href }: AppTileProps) {
  return (
    <Link
      href={href}
      className="flex h-full min-h-20 flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-5 py-4 shadow-card transition-colors duration-150 hover:border-edge"
    >
      <Picture kind="app" url={app.icon} name={app.name} size={56} />
      {/* Below the picture where both don't fit side by side, as with large text. */}
      <span className="min-w-20 grow basis-0">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 text-lead font-semibold">{app.name}</span>
          {badge}
        </span>
        {line && <span className="mt-0.5 block text-muted">{line}</span>}
      </span>
      <ChevronRightIcon size={18} className="text-muted" />
    </Link>
  )
}

/** A tile that links to another page: icon, title, one fact. */
export function LinkTile({
  icon,
  title,
  text,
  href,
}: {
  icon: ReactNode
  title: string
  text: ReactNode
  href: string
}) {
  return (
    <Link
      href={href}
      className="flex flex-wrap items-center justify-end gap-4 rounded-card border border-line bg-surface p-4 shadow-card transition-colors duration-150 hover:border-edge sm:flex-col sm:flex-nowrap sm:items-start sm:justify-start sm:p-5"
    >
      <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand-strong">
        {icon}
      </span>
      <span className="min-w-0 grow basis-16 wrap-anywhere sm:basis-auto">
        <span className="block font-semibold">{title}</span>
        <span className="block text-small text-muted">{text}</span>
      </span>
      <ChevronRightIcon size={18} className="text-muted sm:hidden" />
    </Link>
  )
}
