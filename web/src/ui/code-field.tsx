import type { FormEvent } from 'react'
import { classes } from './classes.ts'
import { BOX, FieldFrame, type FieldFrameProps, useField } from './field.tsx'

type Props = FieldFrameProps & {
  name: string
  /** Said when not all digits are there. */
  invalid: string
  /** How many; six unless told. */
  digits?: number
  autoComplete?: 'one-time-code' | 'off'
  autoFocus?: boolean
}

/** Digits. A code that is pasted in groups or with words around it is taken whole; a wrong one is typed over. */
export function CodeField({
  name,
  invalid,
  digits: most = 6,
  autoComplete = 'one-time-code',
  autoFocus,
  ...field
}: Props) {
  const { control, frame } = useField(name, field)

  function keepDigits({ currentTarget }: FormEvent<HTMLInputElement>) {
    const digits = currentTarget.value.replace(/\D/g, '').slice(0, most)
    if (digits !== currentTarget.value) currentTarget.value = digits
  }

  return (
    <FieldFrame {...frame}>
      <input
        {...control}
        type="text"
        inputMode="numeric"
        autoComplete={autoComplete}
        pattern={`\\d{${most}}`}
        data-invalid={invalid}
        required
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: it is the one field of a step that the person has just gone to
        autoFocus={autoFocus}
        onInput={keepDigits}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className={classes(BOX, 'h-14 max-w-60 text-center font-mono text-head tracking-[0.35em]')}
      />
    </FieldFrame>
  )
}
