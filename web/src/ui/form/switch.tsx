import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../classes.ts'
import { CheckIcon } from '../icons/signed-in-icons.tsx'

export type ToggleProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  text?: ReactNode
  /** Note below the text, such as the save state; hidden from assistive technology. */
  status?: ReactNode
}

/** A checkbox with the role switch and its label on the left. */
export function Switch({ label, text, status, className, ...rest }: ToggleProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className={classes(
        'flex min-h-15 flex-wrap items-center justify-end gap-x-4 gap-y-1 px-5 py-2.5 sm:px-6',
        rest.disabled ? 'cursor-not-allowed' : 'cursor-pointer',
        className,
      )}
    >
      <span className="min-w-0 grow basis-32">
        <span className="block font-medium">{label}</span>
        {text && (
          <span id={`${id}-text`} className="block text-muted">
            {text}
          </span>
        )}
        {status}
      </span>
      <SwitchControl {...rest} id={id} aria-describedby={text ? `${id}-text` : undefined} />
    </label>
  )
}

/** A switch without visible label; `label` is its accessible name. */
export function BareSwitch({ label, className, ...rest }: Omit<ToggleProps, 'text' | 'status'>) {
  const id = useId()
  return (
    <label htmlFor={id} className={classes('flex min-h-11 shrink-0 cursor-pointer items-center', className)}>
      <span className="sr-only">{label}</span>
      <SwitchControl {...rest} id={id} />
    </label>
  )
}

function SwitchControl(props: ComponentProps<'input'>) {
  return (
    <>
      <input
        {...props}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its state
        role="switch"
        className="peer absolute size-px appearance-none opacity-0"
      />
      <span
        aria-hidden="true"
        className="flex h-7 w-12 shrink-0 rounded-full border-2 border-transparent bg-edge outline-offset-2 outline-focus transition-colors duration-150 forced-colors:border-[CanvasText] *:transition-transform *:duration-150 peer-checked:bg-brand peer-checked:*:[translate:1.25rem] peer-focus-visible:outline-3 peer-disabled:opacity-50"
      >
        <span className="size-6 rounded-full border border-transparent bg-surface shadow-card" />
      </span>
    </>
  )
}

/** A checkbox with its label on the right. */
export function Checkbox({ label, text, className, ...rest }: Omit<ToggleProps, 'status'>) {
  const id = useId()
  return (
    <label className={classes('flex min-h-11 cursor-pointer items-start gap-3 py-2.5', className)}>
      <span className="relative mt-px size-5 shrink-0">
        <input
          {...rest}
          type="checkbox"
          aria-describedby={text ? id : undefined}
          className="peer block size-full cursor-pointer appearance-none rounded-[6px] border border-edge bg-surface transition-colors duration-150 checked:border-brand checked:bg-brand"
        />
        <CheckIcon
          size={20}
          className="pointer-events-none absolute inset-0 text-on-brand opacity-0 peer-checked:opacity-100 forced-colors:text-[CanvasText]"
        />
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        {text && (
          <span id={id} className="block text-muted">
            {text}
          </span>
        )}
      </span>
    </label>
  )
}
