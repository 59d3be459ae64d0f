import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Link, type LinkProps } from './navigation/link.tsx'

/** Primary: one per view. Danger: only in confirmation dialogs. */
export type ButtonLook = 'primary' | 'quiet' | 'ghost' | 'danger'

type Look = { look?: ButtonLook; size?: 'large' | 'small'; wide?: boolean }

const LOOKS: Record<ButtonLook, string> = {
  primary: 'border-transparent bg-brand text-on-brand hover:bg-brand-strong',
  quiet: 'border-line bg-surface text-ink hover:border-edge hover:bg-sunken',
  ghost: 'border-transparent text-brand hover:bg-brand-soft',
  danger: 'border-transparent bg-danger text-on-danger hover:opacity-90',
}

function looks({ look = 'quiet', size = 'large', wide = false }: Look, extra?: string): string {
  return classes(
    'relative inline-flex items-center justify-center gap-2 overflow-clip rounded-control border text-center font-semibold transition-colors duration-150',
    // In pixels at the sides, so that large text has the room.
    size === 'large' ? 'min-h-12 px-[20px] py-2.5 text-lead' : 'min-h-11 px-[16px] py-2 text-base',
    wide && 'w-full',
    'aria-disabled:cursor-default aria-disabled:opacity-75',
    LOOKS[look],
    extra,
  )
}

export type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean; children: ReactNode }

/**
 * A button. While busy it keeps width and label, shows the progress strip, stays focusable (`aria-disabled`, never
 * `disabled`) and ignores clicks.
 */
export function Button({ look, size, wide, busy = false, className, children, onClick, type, ...rest }: ButtonProps) {
  const idle = busy || rest['aria-disabled'] === true || rest['aria-disabled'] === 'true'
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (idle) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      aria-disabled={idle || undefined}
      aria-busy={busy || undefined}
      className={looks({ look, size, wide }, className)}
      onClick={press}
    >
      {children}
      {busy && <span aria-hidden="true" className="progress-strip absolute inset-x-0 bottom-0 h-0.75" />}
    </button>
  )
}

/** A link styled as a button. */
export function ButtonLink({ look, size, wide, className, ...rest }: LinkProps & Look) {
  return <Link {...rest} className={looks({ look, size, wide }, className)} />
}

export type IconButtonProps = ComponentProps<'button'> & {
  label: string
  /** `inherit` on colored grounds such as a toast. */
  tone?: 'muted' | 'inherit'
}

/** A square button with an icon; `label` is its accessible name. */
export function IconButton({ label, tone = 'muted', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-control transition-colors duration-150',
        tone === 'muted' ? 'text-muted hover:bg-sunken hover:text-ink' : 'opacity-75 hover:opacity-100',
        className,
      )}
    />
  )
}
