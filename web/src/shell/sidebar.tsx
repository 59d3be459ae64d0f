import { useI18n } from '../lib/i18n.tsx'
import { paths } from '../paths.ts'
import { classes } from '../ui/classes.ts'
import { ExternalIcon } from '../ui/inner-icons.tsx'
import { Link } from '../ui/link.tsx'
import { Wordmark } from '../ui/mark.tsx'
import { Language } from './language.tsx'
import { isHere, type Place } from './places.ts'
import { type ShellMode, Switcher } from './switcher.tsx'
import { Theme } from './theme.tsx'

export type MenuProps = { mode: ShellMode; places: readonly Place[]; path: string }

/** From 1024 px: mark, who it is, where one can go, language and theme at the bottom. */
export function Sidebar({ mode, places, path }: MenuProps) {
  const { t } = useI18n()
  return (
    <header className="sticky top-0 hidden h-dvh w-70 shrink-0 flex-col overflow-y-auto px-5 pt-4 pb-5 lg:flex">
      <Link href={paths.home} className="mb-4 w-fit rounded-row p-2">
        <Wordmark />
      </Link>
      <Switcher mode={mode} look="card" />
      <nav aria-label={t('ui.menu')} className="mt-6">
        <ul className="space-y-1">
          {places.map((place) => (
            <li key={place.href}>
              <SidebarLink place={place} here={isHere(place, path)} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex flex-col items-start gap-2 pt-8">
        <Language />
        <Theme />
      </div>
    </header>
  )
}

function SidebarLink({ place, here }: { place: Place; here: boolean }) {
  const { t } = useI18n()
  const { icon: Sign } = place
  return (
    <Link
      href={place.href}
      aria-current={here ? 'page' : undefined}
      target={place.newTab ? '_blank' : undefined}
      className={classes(
        'relative flex min-h-11 items-center gap-3 rounded-control px-3 py-2 transition-colors duration-150',
        here
          ? 'bg-brand-soft font-semibold text-brand-strong before:absolute before:inset-y-2.5 before:-left-1 before:w-1 before:rounded-full before:bg-lamp'
          : 'font-medium text-muted hover:bg-sunken hover:text-ink',
      )}
    >
      <Sign />
      <span className="min-w-0 grow">{t(place.label)}</span>
      {place.newTab && (
        <>
          <ExternalIcon size={18} />
          <span className="sr-only">({t('ui.opens_new_tab')})</span>
        </>
      )}
    </Link>
  )
}
