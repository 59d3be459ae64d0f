import { useState } from 'react'
import { useI18n } from '../lib/i18n.tsx'
import { paths } from '../paths.ts'
import { classes } from '../ui/classes.ts'
import type { Icon } from '../ui/draw-icon.tsx'
import { MoreIcon, SignOutIcon } from '../ui/inner-icons.tsx'
import { Link } from '../ui/link.tsx'
import { Row, Rows } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Language } from './language.tsx'
import { isHere } from './places.ts'
import type { MenuProps } from './sidebar.tsx'
import { Theme } from './theme.tsx'

const ITEM =
  'flex min-h-15 w-full flex-col items-center justify-center gap-0.5 px-0.5 text-[0.75rem]/4 font-medium -outline-offset-3'

/** On phones: the four places one needs most, and a sheet with the rest. */
export function BottomBar({ places, path }: MenuProps) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  const rest = places.filter((place) => !place.short)
  const inRest = rest.some((place) => isHere(place, path))

  return (
    <nav
      aria-label={t('ui.menu')}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface px-1 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] lg:hidden"
    >
      <ul className="mx-auto flex max-w-140">
        {places.map(
          (place) =>
            place.short && (
              <li key={place.href} className="min-w-0 flex-1">
                <Link
                  href={place.href}
                  aria-current={isHere(place, path) ? 'page' : undefined}
                  className={classes(ITEM, isHere(place, path) ? 'text-brand-strong' : 'text-muted')}
                >
                  <Pill icon={place.icon} lit={isHere(place, path)} />
                  <span className="max-w-full truncate">{t(place.short)}</span>
                </Link>
              </li>
            ),
        )}
        <li className="min-w-0 flex-1">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(true)}
            className={classes(ITEM, inRest ? 'text-brand-strong' : 'text-muted')}
          >
            <Pill icon={MoreIcon} lit={inRest} />
            {t('ui.more')}
          </button>
        </li>
      </ul>
      <Sheet title={t('ui.more')} open={open} onClose={() => setOpen(false)}>
        {/* Any of the links closes the sheet on its way. */}
        <div
          className="-mx-6 mt-3 border-y border-line [&_a]:px-6"
          onClickCapture={(event) => closesOn(event.target) && setOpen(false)}
        >
          <Rows>
            {rest.map((place) => (
              <Row key={place.href} icon={place.icon} label={t(place.label)} href={place.href} />
            ))}
            <Row key="out" icon={SignOutIcon} label={t('ui.sign_out')} href={paths.logout} />
          </Rows>
        </div>
        <div className="-ml-3 mt-4 flex items-center justify-between gap-4">
          <Language />
          <Theme />
        </div>
      </Sheet>
    </nav>
  )
}

function closesOn(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null
}

function Pill({ icon: Sign, lit }: { icon: Icon; lit: boolean }) {
  return (
    <span
      className={classes(
        'flex h-7 w-14 max-w-full items-center justify-center rounded-full transition-colors duration-150',
        lit && 'bg-brand-soft',
      )}
    >
      <Sign />
    </span>
  )
}
