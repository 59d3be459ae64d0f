import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

/** Options of commands that have no others. */
export const JSON_ONLY = { json: { type: 'boolean' } } as const

/** Parses the arguments of a command. Throws `CommandError` for an unknown option or a missing value. */
export function parseCommand<O extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new CommandError((cause as Error).message, { exitCode: 2, cause })
  }
}

/** For commands that take options only. */
export function requireNoArguments([first]: string[]): void {
  if (first !== undefined) throw new CommandError(`Unexpected argument '${first}'.`, { exitCode: 2 })
}

/** The only argument of a command; `what` names it in the error, e.g. "the id of one app". */
export function onlyArgument(positionals: string[], what: string): string {
  const [argument, ...more] = positionals
  if (argument === undefined || more.length > 0) throw new CommandError(`Give ${what}.`, { exitCode: 2 })
  return argument
}
