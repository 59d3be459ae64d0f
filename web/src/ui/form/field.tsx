import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../classes.ts'
import { AlertIcon } from '../icons/icons.tsx'
import { useFormState } from './form-state.ts'

/** Props of every field. `error` is for fields outside a `Form`. */
export type FieldFrameProps = {
  label: ReactNode
  hint?: ReactNode
  error?: string
  /** Note beside the label of an optional field. */
  optional?: string
  /** Hides the label visually. */
  hideLabel?: boolean
  /** Note at the end of the label's line, such as the state of a field that saves itself. */
  status?: ReactNode
  /** Id of a further description. */
  'aria-describedby'?: string | undefined
}

/** Message for an invalid value, instead of the general one. */
export type Invalid = { invalid?: string }

/** Classes of every control except its text size. */
export const BOX =
  'block w-full rounded-control border border-edge bg-surface px-3.5 text-ink transition-colors duration-150 -outline-offset-2 focus:border-brand read-only:bg-sunken aria-invalid:scroll-mb-20 aria-invalid:border-danger aria-invalid:[box-shadow:inset_0_0_0_1px_var(--color-danger)]'

export const CONTROL = `${BOX} text-lead`

/** Connects a control to its label, hint and error: spread `control` onto it and `frame` onto {@link FieldFrame}. */
export function useField(
  name: string | undefined,
  { label, hint, error, optional, hideLabel, status, 'aria-describedby': description }: FieldFrameProps,
) {
  const id = useId()
  const { errors } = useFormState()
  const wrong = error ?? (name ? errors[name] : undefined)
  const described = classes(wrong && `${id}-error`, hint !== undefined && `${id}-hint`, description)
  return {
    control: {
      id,
      name,
      'aria-invalid': wrong ? (true as const) : undefined,
      'aria-describedby': described || undefined,
    },
    frame: { id, label, hint, wrong, optional, hideLabel, status },
  }
}

type FrameProps = ReturnType<typeof useField>['frame'] & { children: ReactNode; className?: string }

/** Label, control, error and hint. */
export function FieldFrame({ id, label, hint, wrong, optional, hideLabel, status, children, className }: FrameProps) {
  return (
    <div className={classes('min-w-0', className)}>
      <div className={hideLabel ? undefined : 'mb-1.5 flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'min-w-0 font-semibold'}>
          {label}
          {optional && <span className="font-normal text-muted"> ({optional})</span>}
        </label>
        {status}
      </div>
      {children}
      {wrong && (
        <p id={`${id}-error`} className="mt-1.5 flex gap-1.5 font-medium text-danger">
          <AlertIcon size={18} className="mt-0.5" />
          <span className="min-w-0">{wrong}</span>
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

export type TextFieldProps = ComponentProps<'input'> & FieldFrameProps & Invalid & { end?: ReactNode }

/** Single-line text. `end` is placed inside the control at the end. */
export function TextField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  status,
  invalid,
  end,
  className,
  ...rest
}: TextFieldProps) {
  const { control, frame } = useField(rest.name, { ...rest, label, hint, error, optional, hideLabel, status })
  return (
    <FieldFrame {...frame} className={className}>
      <span className="relative block">
        <input
          type="text"
          dir="auto"
          {...rest}
          {...control}
          data-invalid={invalid}
          className={classes(CONTROL, 'h-12', end !== undefined && 'pr-13')}
        />
        {end !== undefined && <span className="absolute inset-y-0 right-0.5 flex items-center">{end}</span>}
      </span>
    </FieldFrame>
  )
}
