import { expect, test } from 'vitest'
import { passwords } from './passwords.ts'

test('a wrong guess at a cheaper hash waits until the dearest one would be answered (security §6.3.8)', async () => {
  const times = { cheap: 10, dear: 0 }
  const hashOf = (passes: number) =>
    `$argon2id$v=19$m=19456,t=${passes},p=1$2nVn2pSQ8C1dGx0Zt4yB0g$Qb1mS5rJ1yZcV9vJ8m3QeYw1l5xg0d0JmWm0kq3cGzE`
  const cheap = hashOf(2)
  const { verify, verifyNothing } = passwords(
    { memoryCost: 19_456, timeCost: 8, parallelism: 1 },
    {
      atOnce: 1,
      hash: async () => cheap,
      verify: async (stored, password) => ({
        right: password === 'right',
        ms: stored === cheap ? times.cheap : times.dear,
      }),
    },
    async (ms) => void waits.push(ms),
  )
  const waits: number[] = []
  const waitsOf = async (work: () => Promise<boolean>) => {
    await work()
    return waits.splice(0)
  }
  const guess = () => verify(cheap, 'wrong')
  // No hash has been measured yet, so the estimate is four times the work.
  expect(await waitsOf(guess)).toEqual([30])
  // The main thread was late by 5 ms each time.
  times.dear = 45
  times.cheap = 15
  expect(await waitsOf(() => verifyNothing('wrong'))).toEqual([])
  expect(await waitsOf(guess)).toEqual([30])
  // Late once, long ago: no longer than the work explains.
  times.dear = 2000
  await verifyNothing('wrong')
  expect(await waitsOf(guess)).toEqual([45])
  // There is no negative wait, and none after the right password.
  times.cheap = 3000
  expect(await waitsOf(guess)).toEqual([0])
  expect(await waitsOf(() => verify(cheap, 'right'))).toEqual([])
})
