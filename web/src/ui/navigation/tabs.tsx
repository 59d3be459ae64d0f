import { useEffect, useRef } from 'react'
import { classes } from '../classes.ts'
import { Link } from './link.tsx'

export type Tab = { href: string; label: string }

/** Tabs as links. `current` is the current path. */
export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  // One tab's address may be a prefix of another's: the longest match is current.
  const [shown] = tabs
    .filter(({ href }) => current === href || current.startsWith(`${href}/`))
    .sort((a, b) => b.href.length - a.href.length)
  const list = useRef<HTMLElement>(null)
  const href = shown?.href

  // On a narrow screen the row scrolls to the current tab.
  useEffect(() => {
    const tab = href ? list.current?.querySelector<HTMLElement>('[aria-current]') : undefined
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [href])

  return (
    <nav ref={list} aria-label={label} className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="flex min-w-max gap-6 border-b border-line">
        {tabs.map((tab) => {
          const isCurrent = tab === shown
          return (
            <li key={tab.href}>
              <Link
                href={tab.href}
                aria-current={isCurrent ? 'page' : undefined}
                className={classes(
                  '-mb-px flex min-h-12 items-center border-b-3 pt-0.5 font-semibold -outline-offset-3 transition-colors duration-150',
                  isCurrent
                    ? 'border-accent text-ink forced-colors:border-[color:Highlight]'
                    : 'border-transparent text-muted hover:border-line hover:text-ink forced-colors:border-b-0',
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
