/** Levels 50 and 60 of pino. */
const ERROR = /^\{"level":[56]0,/
const CLOSED = /,"closed":true\}$/
/** A call of the journey before, whose page has gone, and whose server in the same process has closed its database meanwhile. */
const OF_A_CLOSED_DATABASE = /"message":"(database is not open|statement has been finalized)"/

/** Lines of the log with level error or fatal. */
export function errorsIn(log: string): string[] {
  return log.split('\n').filter((line) => ERROR.test(line) && !(CLOSED.test(line) && OF_A_CLOSED_DATABASE.test(line)))
}

/** Marks a line of the log of a server whose end has begun: several servers write to the log of one process. */
export function markAsClosed(line: string): string {
  return line.replace(/\}\n$/, ',"closed":true}\n')
}
