import { type DestinationStream, type Logger, pino } from 'pino'
import { standardOutput } from './standard-output.ts'

/** Properties of errors that are logged. Others, such as `detail` of PostgreSQL, contain values of rows. */
const LOGGED = ['type', 'message', 'stack', 'code', 'errcode', 'statusCode', 'severity', 'constraint_name'] as const

/** One for the process, so that lines of several logs do not mix. */
let output: DestinationStream | undefined

/** JSON lines with UTC times; errors contain no email addresses (security §16.2.1). */
export function openLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorFields } },
    destination ?? (output ??= standardOutput()),
  )
}

/** For commands, whose results are on standard output: lines on standard error. */
export function openCommandLog(level: string): Logger {
  return openLog(level, standardOutput(2))
}

function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? masked(error) : 'not an error'
  const fields = pino.stdSerializers.err(error) as unknown as Record<string, unknown>
  return Object.fromEntries(
    LOGGED.filter((name) => fields[name] !== undefined).map((name) => {
      const value = fields[name]
      return [name, typeof value === 'string' ? masked(value) : value]
    }),
  )
}

/** With the lengths that an address may have (RFC 5321 §4.5.3.1), so that long texts without one take linear time. */
const ADDRESS = /[^\s<>()[\]{}"',;:=@]{1,64}@[^\s<>()[\]{}"',;:=@/]{1,255}\.[^\s<>()[\]{}"',;:=@/]+/g

function masked(text: string): string {
  return text.replace(ADDRESS, '[email]')
}
