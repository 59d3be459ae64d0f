import { type ChangeEvent, useState } from 'react'
import { AlertIcon } from '../icons/icons.tsx'
import { CheckIcon } from '../icons/signed-in-icons.tsx'
import { useTypingPause } from '../use-typing-pause.ts'
import { TextField, type TextFieldProps } from './field.tsx'

/** Result of a validation; null for none. */
export type ValidationResult = { fine: boolean; text: string } | null
export type ValidateText = (text: string) => Promise<ValidationResult>

/** Text input that is validated while typing, for example for availability. */
export function ValidatedTextField({ look, hint, ...rest }: TextFieldProps & { look: ValidateText }) {
  const [result, setResult] = useState<ValidationResult>(null)
  const afterPause = useTypingPause()

  function handleChange({ target }: ChangeEvent<HTMLInputElement>) {
    afterPause()
    setResult(null)
    const { value } = target
    if (!value || !target.validity.valid) return
    afterPause(async () => {
      const found = await look(value)
      // Ignores the result for an outdated text.
      if (target.value === value) setResult(found)
    })
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
