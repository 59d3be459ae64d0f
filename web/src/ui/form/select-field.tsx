import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../classes.ts'
import { ChevronDownIcon } from '../icons/icons.tsx'
import { CONTROL, FieldFrame, type FieldFrameProps, useField } from './field.tsx'

export type SelectFieldProps = ComponentProps<'select'> & FieldFrameProps & { children: ReactNode }

/** Native select for short lists. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  status,
  className,
  children,
  ...rest
}: SelectFieldProps) {
  const { control, frame } = useField(rest.name, { label, hint, error, optional, hideLabel, status })
  return (
    <FieldFrame {...frame} className={className}>
      <span className="relative block">
        <select
          {...rest}
          {...control}
          className={classes(CONTROL, 'h-12 appearance-none truncate pr-11 read-only:bg-surface')}
        >
          {children}
        </select>
        <ChevronDownIcon className="pointer-events-none absolute inset-y-0 right-3.5 my-auto text-muted" />
      </span>
    </FieldFrame>
  )
}
