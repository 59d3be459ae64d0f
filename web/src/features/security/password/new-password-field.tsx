import { signIn } from '@vrata/contract'
import { LIMITS } from '@vrata/contract/limits'
import type { PersonalWords } from '@vrata/contract/password-rules'
import { type ChangeEvent, useEffect, useState } from 'react'
import { constraintsOf } from '../../../lib/api/constraints.ts'
import type { ProblemFields } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { PasswordField } from '../../../ui/form/password/password-field.tsx'
import { PasswordMeter } from '../../../ui/form/password/password-meter.tsx'
import { usePasswordWeakness } from './use-password-weakness.ts'

type Name = 'password' | 'new_password'

type Props = {
  name: Name
  label: string
  /** The user, where the form has no fields for the names and the address. */
  personal?: PersonalWords
}

/** Fields of a sign-up form with names of the user. */
const NAMES = ['first_name', 'last_name']
const NOBODY: PersonalWords = { names: [] }

/** A new password with the meter (product §5.1). */
export function NewPasswordField({ name, label, personal = NOBODY }: Props) {
  const { t, find, brand } = useI18n()
  const { i18n, policy } = useAppContext()
  const min = policy?.password_min_length ?? LIMITS.password_min
  const [typed, setTyped] = useState({ password: '', personal })
  const verdict = usePasswordWeakness(typed.password, typed.personal)
  const reason = verdict?.weakness && find(`new-password.meter.${verdict.weakness}`)
  // The sentences of the meter are not needed before something is typed.
  useEffect(() => void i18n.load(['new-password']).catch(() => {}), [i18n])

  function measure({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>) {
    const field = (name: string) => {
      const control = form?.elements.namedItem(name)
      return control instanceof HTMLInputElement ? control.value : undefined
    }
    setTyped({
      password: value,
      personal: {
        email: personal.email ?? field('email'),
        names: [...personal.names, ...NAMES.map(field)],
        installation: brand.name,
      },
    })
  }

  return (
    <PasswordField
      name={name}
      label={label}
      autoComplete="new-password"
      {...constraintsOf(signIn.resetPassword, 'new_password')}
      minLength={min}
      invalid={t('problems.password_too_short', { min })}
      onChange={measure}
      meter={(id) => (
        <PasswordMeter
          id={id}
          field={name}
          password={typed.password}
          minimum={min}
          verdict={verdict?.weakness && !reason ? undefined : verdict && { weakness: reason }}
        />
      )}
    />
  )
}

/** Problems of a new password, shown on its field. */
export const newPasswordProblems = (field: Name): ProblemFields => ({
  password_too_short: field,
  password_is_email: field,
  password_breached: field,
  password_guessable: field,
})
