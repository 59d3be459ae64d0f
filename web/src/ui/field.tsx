import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import { useFormState } from './form-state.ts'
import { AlertIcon } from './icons.tsx'

/** What every field shows around its control. `error` is for fields outside a `Form`. */
export type FieldFrameProps = {
  label: ReactNode
  hint?: ReactNode
  error?: string
  /** Said beside the label of a field that may stay empty. */
  optional?: string
  /** Keeps the label for screen readers only, where the place says enough. */
  hideLabel?: boolean
}

/** The sentence shown when the browser finds the value wrong, in place of the general one. */
type Invalid = { invalid?: string }

/** Any control; how big its text is, is for the control to say. */
export const BOX =
  'block w-full rounded-control border border-edge bg-surface px-3.5 text-ink transition-colors duration-150 -outline-offset-2 focus:border-brand read-only:bg-sunken aria-invalid:border-danger aria-invalid:inset-ring aria-invalid:inset-ring-danger'

export const CONTROL = `${BOX} text-lead`

/** Wires a control to its label, hint and error: spread `control` onto it and hand `frame` to {@link FieldFrame}. */
export function useField(name: string | undefined, { label, hint, error, optional, hideLabel }: FieldFrameProps) {
  const id = useId()
  const { errors } = useFormState()
  const wrong = error ?? (name ? errors[name] : undefined)
  const described = classes(wrong && `${id}-error`, hint !== undefined && `${id}-hint`)
  return {
    control: {
      id,
      name,
      'aria-invalid': wrong ? (true as const) : undefined,
      'aria-describedby': described || undefined,
    },
    frame: { id, label, hint, wrong, optional, hideLabel },
  }
}

type FrameProps = ReturnType<typeof useField>['frame'] & { children: ReactNode; className?: string }

/** Label above, control, error with icon, hint. */
export function FieldFrame({ id, label, hint, wrong, optional, hideLabel, children, className }: FrameProps) {
  return (
    <div className={classes('min-w-0', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1.5 block font-semibold'}>
        {label}
        {optional && <span className="font-normal text-muted"> ({optional})</span>}
      </label>
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

/** One line of text. `end` sits inside the control, on its right. For read-only values say `readOnly`. */
export function TextField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  invalid,
  end,
  className,
  ...rest
}: TextFieldProps) {
  const { control, frame } = useField(rest.name, { label, hint, error, optional, hideLabel })
  return (
    <FieldFrame {...frame} className={className}>
      <span className="relative block">
        <input
          type="text"
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

export type MultilineFieldProps = ComponentProps<'textarea'> & FieldFrameProps & Invalid

/** Several lines of text. */
export function MultilineField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  invalid,
  className,
  ...rest
}: MultilineFieldProps) {
  const { control, frame } = useField(rest.name, { label, hint, error, optional, hideLabel })
  return (
    <FieldFrame {...frame} className={className}>
      <textarea
        rows={4}
        {...rest}
        {...control}
        data-invalid={invalid}
        className={classes(CONTROL, 'min-h-24 py-2.5')}
      />
    </FieldFrame>
  )
}
