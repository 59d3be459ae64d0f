import { useEffect, useState } from 'react'
import { type Weakness, weaknessOf } from './password-strength.ts'

/** From so many characters on it is worth to fetch the lists. */
const WORTH_IT = 4

/**
 * What speaks against a password. `thorough` also asks the estimator with its lists of words, names and leaked
 * passwords (`guessability.ts`, some hundred kilobytes), which loads once somebody types; until then, and when it does
 * not come, the first opinion counts. The server has the last word either way.
 */
export function useWeakness(password: string, own: readonly string[], thorough: boolean): Weakness | undefined {
  const [estimate, setEstimate] = useState<typeof import('./guessability.ts').guessabilityOf>()
  const wanted = thorough && password.length >= WORTH_IT

  useEffect(() => {
    if (!wanted) return
    let here = true
    import('./guessability.ts').then(
      ({ guessabilityOf }) => here && setEstimate(() => guessabilityOf),
      () => undefined,
    )
    return () => {
      here = false
    }
  }, [wanted])

  return weaknessOf(password, own) ?? (wanted ? estimate?.(password, own) : undefined)
}
