import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { AlertIcon } from '../icons/icons.tsx'
import { CheckIcon } from '../icons/signed-in-icons.tsx'
import { TextField, type TextFieldProps } from './field.tsx'

/** Result of a validation; null for none. */
export type ValidationResult = { fine: boolean; text: string } | null
export type ValidateText = (text: string) => Promise<ValidationResult>

/** Milliseconds of pause in typing before validation runs. */
const DEBOUNCE = 350

/** Text input that is validated while typing, for example for availability. */
export function ValidatedTextField({ look, hint, ...rest }: TextFieldProps & { look: ValidateText }) {
  const [result, setResult] = useState<ValidationResult>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function handleChange({ target }: ChangeEvent<HTMLInputElement>) {
    clearTimeout(timer.current)
    setResult(null)
    const { value } = target
    if (!value || !target.validity.valid) return
    timer.current = setTimeout(async () => {
      const found = await look(value)
      // Ignores the result for an outdated text.
      if (target.value === value) setResult(found)
    }, DEBOUNCE)
  }

  const Sign = result?.fine ? CheckIcon : AlertIcon
  return (
    <TextField
      {...rest}
      onChange={handleChange}
      hint={
        <>
          {hint}
          <span role="status" className="mt-1 flex min-h-5.5 items-center gap-1.5 font-medium text-ink">
            {result && (
              <>
                <Sign size={18} className={result.fine ? 'text-ok' : 'text-danger'} />
                {result.text}
              </>
            )}
          </span>
        </>
      }
    />
  )
}
