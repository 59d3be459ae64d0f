import { auth } from '@vrata/contract'
import { LIMITS } from '@vrata/contract/limits'
import { type ChangeEvent, useState } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { PasswordMeter } from '../../ui/meter.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { weaknessOf } from './password-strength.ts'

/** Fields of the same form whose words make a password easy to guess. */
const OWN = ['first_name', 'last_name', 'email', 'username']

/** A password that is being chosen, with the meter beneath (specification §5). */
export function NewPasswordField({ name, label }: { name: 'password' | 'new_password'; label: string }) {
  const { t } = useI18n()
  const [typed, setTyped] = useState({ password: '', own: [] as string[] })

  function measure({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>) {
    const fields = form ? new FormData(form) : undefined
    setTyped({ password: value, own: OWN.map((field) => String(fields?.get(field) ?? '')) })
  }

  const weakness = weaknessOf(typed.password, typed.own)
  return (
    <PasswordField
      name={name}
      label={label}
      autoComplete="new-password"
      {...constraintsOf(auth.resetPassword, 'new_password')}
      minLength={LIMITS.password_min}
      invalid={t('problems.password_too_short')}
      onChange={measure}
      meter={
        <PasswordMeter
          password={typed.password}
          minimum={LIMITS.password_min}
          weakness={weakness && t(`auth.meter.${weakness}`)}
        />
      }
    />
  )
}
