import { auth } from '@vrata/contract'
import { LIMITS } from '@vrata/contract/limits'
import { type ChangeEvent, useState } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { PasswordMeter } from '../../ui/meter.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useWeakness } from './use-weakness.ts'

/** Fields of the same form whose words make a password easy to guess. */
const OWN = ['first_name', 'last_name', 'email', 'username']

type Props = {
  name: 'password' | 'new_password'
  label: string
  /** Words of the person that no field of the form holds. */
  own?: readonly string[]
  /** Also against lists of words and passwords, which come over the network once somebody types. */
  thorough?: boolean
}

const NONE: readonly string[] = []

/** A password that is being chosen, with the meter beneath (specification §5). */
export function NewPasswordField({ name, label, own = NONE, thorough = false }: Props) {
  const { t } = useI18n()
  const [typed, setTyped] = useState({ password: '', own })
  const weakness = useWeakness(typed.password, typed.own, thorough)

  function measure({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>) {
    const fields = form ? new FormData(form) : undefined
    setTyped({ password: value, own: [...own, ...OWN.map((field) => String(fields?.get(field) ?? ''))] })
  }

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
