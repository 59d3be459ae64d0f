// Loaded before the server: a round of pruning begins at the signal SIGUSR2 instead of every ten to twenty minutes.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

const { setTimeout: pause } = timers
const signal = () => new Promise((resolve) => process.once('SIGUSR2', resolve))
timers.setTimeout = (milliseconds, ...rest) => (milliseconds >= 600_000 ? signal() : pause(milliseconds, ...rest))
syncBuiltinESMExports()
