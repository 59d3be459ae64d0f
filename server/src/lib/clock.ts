/** The current time; rules use no other source. */
export interface Clock {
  now(): Date
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that only changes by `advance`. */
export interface TestClock extends Clock {
  advance(seconds: number): void
}

/** A clock for tests; starts at `start`. */
export function testClock(start = new Date('2026-11-21T10:00:00.000Z')): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000
    },
  }
}
