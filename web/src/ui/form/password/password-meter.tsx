import { classes } from '../../classes.ts'
import { CheckIcon } from '../../icons/signed-in-icons.tsx'
import { useWords } from '../../words.tsx'
import { useFormState } from '../form-state.ts'

export type PasswordMeterProps = {
  /** Describes the field. */
  id?: string
  /** Name of the field; its error replaces the verdict. */
  field?: string
  /** The typed password. */
  password: string
  /** Minimum length (product §5.1). */
  minimum: number
  /** Why a long enough password is weak, if it is; missing until that is known. */
  verdict: { weakness: string | undefined } | undefined
}

/**
 * One sentence at a time: the required length, missing characters, then "Secure" or "Not secure" with the reason (product
 * §5.1). An error of the field takes its place.
 */
export function PasswordMeter({ id, field, password, minimum, verdict }: PasswordMeterProps) {
  const words = useWords()
  const { errors } = useFormState()
  const missing = Math.max(0, minimum - [...password.normalize('NFC')].length)
  const secure = missing === 0 && verdict !== undefined && verdict.weakness === undefined
  const steps =
    password === '' ? 0 : secure ? 4 : Math.max(1, Math.min(3, Math.floor(((minimum - missing) / minimum) * 4)))
  if (field && errors[field]) return null
  return (
    <div className="mt-2">
      <span aria-hidden="true" className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={classes(
              'h-1 rounded-full transition-colors duration-150',
              step > steps ? 'bg-line' : secure ? 'bg-ok' : 'bg-accent',
            )}
          />
        ))}
      </span>
      <p id={id} role="status" className="mt-1.5 min-h-5.5 text-muted">
        {password === ''
          ? words.least_characters(minimum)
          : missing > 0
            ? words.more_characters(missing)
            : verdict && <Secureness weakness={verdict.weakness} />}
      </p>
    </div>
  )
}

function Secureness({ weakness }: { weakness: string | undefined }) {
  const words = useWords()
  if (weakness === undefined) {
    return (
      <span className="flex items-center gap-1.5 font-semibold text-ok">
        <CheckIcon size={18} />
        {words.password_secure}
      </span>
    )
  }
  return (
    <>
      <span className="font-semibold text-ink">{words.password_not_secure}</span> · {weakness}
    </>
  )
}
