import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'
import { CONTROL, FieldFrame, type FieldFrameProps, type Invalid, useField } from './field.tsx'

export type MultilineFieldProps = ComponentProps<'textarea'> & FieldFrameProps & Invalid

/** Multiline text. */
export function MultilineField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  status,
  invalid,
  className,
  ...rest
}: MultilineFieldProps) {
  const { control, frame } = useField(rest.name, { label, hint, error, optional, hideLabel, status })
  return (
    <FieldFrame {...frame} className={className}>
      <textarea
        rows={4}
        dir="auto"
        {...rest}
        {...control}
        data-invalid={invalid}
        className={classes(CONTROL, 'min-h-24 py-2.5')}
      />
    </FieldFrame>
  )
}
