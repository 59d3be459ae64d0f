import { type ParseArgsConfig, parseArgs } from 'node:util'
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

function wrong(sentence: string): CommandError {
  return new CommandError(`${sentence} --help prints what the command takes.`, { exitCode: 2 })
}

/** For commands that take options only. */
export function requireNoArguments([first]: string[]): void {
  if (first !== undefined) throw wrong(`Unexpected argument '${first}'.`)
}

/** The only argument of a command; `what` names it in the error, e.g. "the id of one app". */
export function onlyArgument(positionals: string[], what: string): string {
  const [argument, ...more] = positionals
  if (argument === undefined || more.length > 0) throw new CommandError(`Give ${what}.`, { exitCode: 2 })
  return argument
}
