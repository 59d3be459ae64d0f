import { classes } from './classes.ts'
import { CheckIcon } from './icons.tsx'
import { useWords } from './words.tsx'

export type PasswordMeterProps = {
  /** The password as typed so far, or its length. */
  password: string
  /** The shortest password allowed (specification §5). */
  minimum: number
  /** Why a long enough password is still weak: leaked, guessable. */
  weakness?: string
}

/** How far the password is: "3 more characters", then "Secure" or "Not secure" with the reason (specification §5). */
export function PasswordMeter({ password, minimum, weakness }: PasswordMeterProps) {
  const words = useWords()
  const missing = Math.max(0, minimum - [...password].length)
  const secure = missing === 0 && !weakness
  const verdict = secure ? words.password_secure : words.password_not_secure
  const steps =
    password === '' ? 0 : secure ? 4 : Math.max(1, Math.min(3, Math.floor(((minimum - missing) / minimum) * 4)))
  return (
    <div className="mt-2">
      <span aria-hidden="true" className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={classes(
              'h-1 rounded-full transition-colors duration-150',
              step > steps ? 'bg-line' : secure ? 'bg-ok' : 'bg-lamp',
            )}
          />
        ))}
      </span>
      <p role="status" className="mt-1.5 flex min-h-5.5 items-center gap-1.5 text-muted">
        {password !== '' && (
          <>
            {secure && <CheckIcon size={18} className="text-ok" />}
            <span className={classes('font-semibold', secure ? 'text-ok' : 'text-ink')}>{verdict}</span>
            {missing > 0 ? <span>· {words.more_characters(missing)}</span> : weakness && <span>· {weakness}</span>}
          </>
        )}
      </p>
    </div>
  )
}
