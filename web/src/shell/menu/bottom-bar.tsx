import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { MoreIcon, SignOutIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { Link } from '../../ui/navigation/link.tsx'
import { Language } from '../preferences/language.tsx'
import { Theme } from '../preferences/theme.tsx'
import { isCurrent } from './menu.ts'
import type { MenuProps } from './sidebar.tsx'
import { WaitingBadge } from './waiting-badge.tsx'

const ITEM =
  'flex min-h-15 w-full flex-col items-center justify-center gap-0.5 text-[0.75rem]/4 font-medium max-[22rem]:text-[0.6875rem]/4 -outline-offset-3 large-text:min-h-[44px] large-text:rounded-full large-text:px-[10px]'
/** With large text the labels are side by side, in as many lines as they need, without icons. */
const CURRENT = 'text-brand-strong large-text:bg-brand-soft'

/** Phones: the main entries, and a sheet with the rest. */
export function BottomBar({ entries, path }: MenuProps) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  const rest = entries.filter((entry) => !entry.short)
  const inRest = rest.some((entry) => isCurrent(entry, path))

  return (
    <nav
      aria-label={t('menu.menu')}
      className="fixed inset-x-0 bottom-0 z-20 @container border-t border-line bg-surface px-1 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] lg:hidden print:hidden"
    >
      <ul className="mx-auto flex max-w-140 large-text:flex-wrap large-text:justify-center">
        {entries.map(
          (entry) =>
            entry.short && (
              <li key={entry.href} className="min-w-0 flex-1 large-text:flex-none">
                <Link
                  href={entry.href}
                  aria-current={isCurrent(entry, path) ? 'page' : undefined}
                  className={classes(ITEM, isCurrent(entry, path) ? CURRENT : 'text-muted')}
                >
                  <Pill icon={entry.icon} active={isCurrent(entry, path)} />
                  <span className="max-w-full truncate">{t(entry.short)}</span>
                </Link>
              </li>
            ),
        )}
        <li className="min-w-0 flex-1 large-text:flex-none">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(true)}
            className={classes(ITEM, inRest ? CURRENT : 'text-muted')}
          >
            <Pill icon={MoreIcon} active={inRest} />
            {t('menu.more')}
          </button>
        </li>
      </ul>
      <Sheet title={t('menu.more')} open={open} onClose={() => setOpen(false)}>
        {/* Any link closes the sheet. */}
        <div
          className="-mx-6 mt-3 border-y border-line [&_a]:px-6"
          onClickCapture={(event) => closesOn(event.target) && setOpen(false)}
        >
          <Rows>
            {rest.map((entry) => (
              <Row
                key={entry.href}
                icon={entry.icon}
                label={t(entry.label)}
                value={entry.waiting ? <WaitingBadge count={entry.waiting} /> : undefined}
                href={entry.href}
              />
            ))}
            <Row key="out" icon={SignOutIcon} label={t('ui.sign_out')} href={paths.logout} />
          </Rows>
        </div>
        <div className="-ml-3 mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
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

function Pill({ icon: Sign, active }: { icon: Icon; active: boolean }) {
  return (
    <span
      className={classes(
        'flex h-7 w-14 max-w-full items-center justify-center rounded-full transition-colors duration-150 large-text:hidden',
        active &&
          'bg-brand-soft forced-colors:bg-[color:Highlight] forced-colors:text-[color:HighlightText] forced-colors:forced-color-adjust-none',
      )}
    >
      <Sign />
    </span>
  )
}
