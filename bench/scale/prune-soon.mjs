// Loaded before the server: the first round of pruning begins after two seconds instead of ten to twenty minutes.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

const { setTimeout: pause } = timers
timers.setTimeout = (milliseconds, ...rest) => pause(milliseconds >= 600_000 ? 2000 : milliseconds, ...rest)
syncBuiltinESMExports()
