import { Children, isValidElement, type ReactNode } from 'react'
import { classes } from '../classes.ts'
import type { Icon } from '../icons/draw-icon.tsx'
import { ChevronRightIcon } from '../icons/signed-in-icons.tsx'
import { Link } from '../navigation/link.tsx'

export type RowProps = {
  icon?: Icon
  /** Replaces the icon: a picture, an app tile. */
  picture?: ReactNode
  label: ReactNode
  /** Secondary line under the label. */
  text?: ReactNode
  value?: ReactNode
  /** The value may be long: it is shown whole, on phones in its own line. */
  long?: boolean
  /** Control at the end, where the row is not a link. */
  action?: ReactNode
  href?: string
  onClick?: () => void
}

/**
 * Label, value, chevron (design §5). With `href` or `onClick` the whole row is the target. Put rows into {@link Rows}.
 */
export function Row({ icon: Sign, picture, label, text, value, long, action, href, onClick }: RowProps) {
  const leads = href !== undefined || onClick !== undefined
  const inside = (
    <>
      {picture ?? (Sign && <Sign className="text-muted" />)}
      {/* Where label and value don't fit side by side, as with large text, the value is below. */}
      <span
        className={classes(
          'flex min-w-0 grow flex-wrap items-center gap-x-4',
          action ? 'basis-36' : picture ? 'basis-14' : 'basis-0',
        )}
      >
        <span className="min-w-0 grow basis-20">
          <span className="block text-pretty font-medium">{label}</span>
          {long && <span className="block text-muted sm:hidden">{value}</span>}
          {text && <span className="block text-small text-muted">{text}</span>}
        </span>
        {value !== undefined && (
          <span
            dir="auto"
            className={classes(
              'min-w-0 max-w-full shrink-0 text-muted sm:max-w-[55%] sm:text-right',
              long && 'hidden sm:block',
            )}
          >
            {value}
          </span>
        )}
      </span>
      {action}
      {leads && <ChevronRightIcon size={18} className="text-muted" />}
    </>
  )
  const looks = classes(
    'flex min-h-15 w-full items-center gap-4 px-5 py-2.5 text-left sm:px-6',
    // Where text and control don't fit side by side, the control is below, as is the text that doesn't fit beside a picture.
    Boolean(action || picture) && 'flex-wrap justify-end gap-y-1',
    leads && '-outline-offset-4 transition-colors duration-150 hover:bg-sunken',
  )
  if (href !== undefined) {
    return (
      <Link href={href} className={looks}>
        {inside}
      </Link>
    )
  }
  if (onClick) {
    return (
      <button type="button" onClick={onClick} className={looks}>
        {inside}
      </button>
    )
  }
  return <div className={looks}>{inside}</div>
}

/** A list of rows with dividers; each child becomes a list item. */
export function Rows({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {Children.toArray(children).map((row) => (
        <li key={isValidElement(row) ? row.key : String(row)}>{row}</li>
      ))}
    </ul>
  )
}

/**
 * Before a row is removed: moves the focus from this control of it to the next row, or to the one before; within details to
 * their summary, where no row beside can have it. Otherwise the focus would be lost with the row.
 */
export function focusBesideRow(control: Element | null): void {
  if (!control || control !== document.activeElement) return
  const row = control.closest('li')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const next =
    beside?.querySelector<HTMLElement>(CONTROL) ?? row?.closest('details')?.querySelector<HTMLElement>(CONTROL)
  next?.focus()
}
const CONTROL = 'summary, button'
