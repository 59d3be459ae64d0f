import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { ExternalIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Wordmark } from '../../ui/icons/wordmark.tsx'
import { Link } from '../../ui/navigation/link.tsx'
import { Language } from '../preferences/language.tsx'
import { Theme } from '../preferences/theme.tsx'
import { SearchButton } from '../search/search-button.tsx'
import { type ShellMode, Switcher } from './account-switcher.tsx'
import { isCurrent, type MenuEntry } from './menu.ts'
import { WaitingBadge } from './waiting-badge.tsx'

export type MenuProps = { mode: ShellMode; entries: readonly MenuEntry[]; path: string }

/** From 1024 px: logo, account, menu, language and theme; below the offline bar. All ten entries of operators fit in a height of 800 px. */
export function Sidebar({ mode, entries, path }: MenuProps) {
  const { t, brand } = useI18n()
  return (
    <header className="sticky top-(--notice-height) hidden h-[calc(100dvh-var(--notice-height))] w-70 shrink-0 flex-col overflow-y-auto px-5 pt-4 pb-3 lg:flex">
      <Link href={paths.home} className="mb-4 w-fit rounded-row p-2">
        <Wordmark name={brand.name} />
      </Link>
      <Switcher mode={mode} look="card" />
      <SearchButton look="field" />
      <nav aria-label={t('menu.menu')} className="mt-4">
        <ul className="space-y-0.5">
          {entries.map((entry) => (
            <li key={entry.href}>
              <SidebarLink entry={entry} current={isCurrent(entry, path)} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex flex-col items-start gap-2 pt-3">
        <Language />
        <Theme />
      </div>
    </header>
  )
}

function SidebarLink({ entry, current }: { entry: MenuEntry; current: boolean }) {
  const { t } = useI18n()
  const { icon: Sign } = entry
  return (
    <Link
      href={entry.href}
      aria-current={current ? 'page' : undefined}
      target={entry.newTab ? '_blank' : undefined}
      className={classes(
        'relative flex min-h-11 items-center gap-3 rounded-control px-3 py-2 transition-colors duration-150',
        current
          ? 'bg-brand-soft font-semibold text-brand-strong forced-colors:bg-[color:Highlight] forced-colors:text-[color:HighlightText] forced-colors:forced-color-adjust-none before:absolute before:inset-y-2.5 before:-left-1 before:w-1 before:rounded-full before:bg-accent'
          : 'font-medium text-muted hover:bg-sunken hover:text-ink',
      )}
    >
      <Sign />
      <span className="min-w-0 grow">{t(entry.label)}</span>
      {entry.waiting ? <WaitingBadge count={entry.waiting} /> : null}
      {entry.newTab && (
        <>
          <ExternalIcon size={18} />
          <span className="sr-only">({t('ui.opens_new_tab')})</span>
        </>
      )}
    </Link>
  )
}
