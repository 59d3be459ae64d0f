// Preloaded by a server process: at SIGUSR2 the clock of its machine jumps a day forward. The monotonic clock goes on, as on a machine.

const DAY = 24 * 60 * 60 * 1000

const machineTime = Date.now
let ahead = 0
process.on('SIGUSR2', () => {
  ahead = DAY
})
const now = () => machineTime() + ahead
Date.now = now
globalThis.Date = new Proxy(Date, {
  construct: (target, given, type) => Reflect.construct(target, given.length === 0 ? [now()] : given, type),
})
