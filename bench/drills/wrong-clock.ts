import { existsSync } from 'node:fs'

const FAKETIME = [
  process.env.LIBFAKETIME ?? '',
  ...['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`),
].find((file) => existsSync(file))

/** Requirements that are missing for drills with a wrong clock. */
export const needsFaketime = () =>
  FAKETIME
    ? undefined
    : 'libfaketime is not installed (Debian: apt-get install libfaketime; LIBFAKETIME names its file)'

/** Settings of a process whose clock is wrong, without how much; its timers are right. */
export const WRONG_CLOCK = {
  LD_PRELOAD: FAKETIME ?? '',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
}
