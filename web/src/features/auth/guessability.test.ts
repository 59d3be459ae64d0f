import { expect, test } from 'vitest'
import { guessabilityOf } from './guessability.ts'

test.each([
  ['password1234', 'common'],
  ['vrata1234567', 'own'],
  ['Passw0rd!Passw0rd!', 'repeats'],
  ['6543210987654', 'run'],
  ['13.05.198813.05.1988', 'repeats'],
  ['summer17.03.1999', 'date'],
])('%s is not secure: %s', (password, weakness) => expect(guessabilityOf(password)).toBe(weakness))

test.each(['correct-horse-battery-staple', 'T4bla&mizica!sonce', 'mirno morje brez ladje'])(
  '%s is secure',
  (password) => expect(guessabilityOf(password)).toBeUndefined(),
)
