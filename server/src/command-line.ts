import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

/** Parses the arguments of a command. Throws `CommandError` for an unknown option or a missing value. */
export function parseCommand<O extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new CommandError((cause as Error).message, { exitCode: 2, cause })
  }
}
