/** The only way in which a rule learns what time it is. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  advance(seconds: number): void
}

/** For tests that would otherwise have to wait; begins at `start`. */
export function testClock(start = new Date('2026-11-21T10:00:00.000Z')): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000
    },
  }
}
