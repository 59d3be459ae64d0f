import { type FormEvent, useEffect, useRef } from 'react'
import { classes } from '../classes.ts'
import { BOX, FieldFrame, type FieldFrameProps, useField } from './field.tsx'
import { useFormState } from './form-state.ts'

type Props = FieldFrameProps & {
  name: string
  /** Message for a missing digit. */
  invalid: string
  /** Number of digits. Default: six. */
  digits?: number
  autoComplete?: 'one-time-code' | 'off'
  autoFocus?: boolean
}

/**
 * Numeric code. Pasted text is reduced to its digits; focus selects the value, and so does an error. The last digit of a
 * one-time code submits the form, unless another field is not valid yet.
 */
export function CodeField({
  name,
  invalid,
  digits: most = 6,
  autoComplete = 'one-time-code',
  autoFocus,
  ...field
}: Props) {
  const { control, frame } = useField(name, field)

  const { errors } = useFormState()
  const input = useRef<HTMLInputElement>(null)
  const last = useRef('')

  // The field keeps focus while the code is sent, so that focus does not select the rejected code.
  useEffect(() => {
    if (errors[name]) input.current?.select()
  }, [errors, name])

  function filterDigits({ currentTarget }: FormEvent<HTMLInputElement>) {
    const digits = currentTarget.value.replace(/\D/g, '').slice(0, most)
    if (digits !== currentTarget.value) currentTarget.value = digits
    const complete = autoComplete === 'one-time-code' && digits.length === most && digits !== last.current
    last.current = digits
    // `:invalid` reports nothing to the user, unlike `checkValidity`.
    if (complete && !currentTarget.form?.matches(':invalid')) currentTarget.form?.requestSubmit()
  }

  return (
    <FieldFrame {...frame}>
      <input
        {...control}
        ref={input}
        type="text"
        inputMode="numeric"
        autoComplete={autoComplete}
        pattern={`\\d{${most}}`}
        data-invalid={invalid}
        required
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the only field of a step that the user opened
        autoFocus={autoFocus}
        onInput={filterDigits}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className={classes(BOX, 'h-14 max-w-60 text-center font-mono text-head tracking-[0.35em]')}
      />
    </FieldFrame>
  )
}
