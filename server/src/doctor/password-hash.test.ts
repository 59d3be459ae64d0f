import { expect, test } from 'vitest'
import { LEAST_COST } from '../adapters/passwords/cost.ts'
import { costWithin, describeHash } from './password-hash.ts'

test('proposes more memory, then more passes, and never less than the least cost', () => {
  expect(costWithin(50, 8)).toEqual({ memoryCost: 65_536, timeCost: 3, parallelism: 1 })
  expect(costWithin(50, 20)).toEqual({ memoryCost: 48_128, timeCost: 2, parallelism: 1 })
  expect(costWithin(50, 400)).toEqual(LEAST_COST)
})

test('says what a hash takes on this machine, and what to set', async () => {
  expect(await describeHash({ password_cost: LEAST_COST })).toMatch(
    /^m=19456,t=2,p=1 takes \d+ ms; VRATA_PASSWORD_COST=m=\d+,t=\d+,p=1 takes \d+ ms, which allows \d+ sign-ins a second with \d+ MiB$/,
  )
})
