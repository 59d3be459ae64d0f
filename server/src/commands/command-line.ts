import { type ParseArgsConfig, parseArgs } from 'node:util'
import { adminClients } from '@vrata/contract'
import { CommandError } from './command-error.ts'

/** Options of commands that have no others. */
export const JSON_ONLY = { json: { type: 'boolean' } } as const

/** Parses the arguments of a command. Throws `CommandError` for an unknown option, and for a missing or superfluous value. */
export function parseCommand<O extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: O) {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined
    if (type === undefined) throw wrong(`There is no option ${rawName}.`)
    if (type === 'boolean' && value !== undefined) throw wrong(`${rawName} takes no value.`)
    // A value that begins with a dash is more likely the next option; "--option=-value" means it.
    if (type === 'string' && (value === undefined || (!inlineValue && value.startsWith('-'))))
      throw wrong(`${rawName} needs a value.`)
  }
  return parseArgs({ args, options, allowPositionals: true })
}

/** For the value of an option that does not fit, or is missing. */
export function wrongOption(option: string, given: unknown): CommandError {
  return wrong(given === undefined ? `--${option} is missing.` : `--${option} is not valid.`)
}

function wrong(sentence: string): CommandError {
  return new CommandError(`${sentence} --help prints what the command takes.`, { exitCode: 2 })
}

/** For commands that take options only. Throws `CommandError`. */
export function requireNoArguments([first]: string[]): void {
  if (first !== undefined) throw wrong(`Unexpected argument '${first}'.`)
}

/** The only argument of a command; `what` names it in the error, e.g. "the id of one app". */
export function onlyArgument(positionals: string[], what: string): string {
  const [argument, ...more] = positionals
  if (argument === undefined || more.length > 0) throw new CommandError(`Give ${what}.`, { exitCode: 2 })
  return argument
}

/** The reason for which an organization or app is rejected, as in the API. Throws `CommandError` for one that is not accepted there. */
export function rejectionReason({ reason }: Record<string, unknown>): string | undefined {
  const { success, data } = adminClients.updateAdminClient.body.shape.reason.safeParse(reason)
  if (success) return data
  const sentence = '--reason is too long, or contains characters that are not text: the person who asked reads it.'
  throw new CommandError(sentence, { exitCode: 2 })
}
