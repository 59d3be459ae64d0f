import { classes } from './classes.ts'
import { Link } from './link.tsx'

export type Tab = { href: string; label: string }

/** Tabs that are links: each has its own address. `current` is the path of the page shown now. */
export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  // The address of one tab may be the beginning of another's: the longest that fits is meant.
  const [shown] = tabs
    .filter(({ href }) => current === href || current.startsWith(`${href}/`))
    .sort((a, b) => b.href.length - a.href.length)
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="flex min-w-max gap-6 border-b border-line">
        {tabs.map((tab) => {
          const here = tab === shown
          return (
            <li key={tab.href}>
              <Link
                href={tab.href}
                aria-current={here ? 'page' : undefined}
                className={classes(
                  '-mb-px flex min-h-12 items-center border-b-3 pt-0.5 font-semibold -outline-offset-3 transition-colors duration-150',
                  here ? 'border-lamp text-ink' : 'border-transparent text-muted hover:border-line hover:text-ink',
                )}
              >
                {tab.label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
