import { expect, test } from 'vitest'
import { CommandError } from './command-error.ts'
import { JSON_ONLY, parseCommand, requireNoArguments, wrongOption } from './command-line.ts'

const OPTIONS = { ...JSON_ONLY, mail: { type: 'string' }, group: { type: 'string', multiple: true } } as const
const parse = (...args: string[]) => parseCommand(args, OPTIONS)

function refusal(...args: string[]): [string, number] {
  try {
    requireNoArguments(parse(...args).positionals)
  } catch (error) {
    if (error instanceof CommandError) return [error.message, error.exitCode]
  }
  throw new Error('Nothing was refused.')
}

test('a wrong option is named, with the way to the right ones', () => {
  const help = ' --help prints what the command takes.'
  expect(refusal('--jsn')).toEqual([`There is no option --jsn.${help}`, 2])
  expect(refusal('-j')).toEqual([`There is no option -j.${help}`, 2])
  expect(refusal('--constructor')).toEqual([`There is no option --constructor.${help}`, 2])
  expect(refusal('--json=yes')).toEqual([`--json takes no value.${help}`, 2])
  expect(refusal('--mail')).toEqual([`--mail needs a value.${help}`, 2])
  expect(refusal('--mail', '--json')).toEqual([`--mail needs a value.${help}`, 2])
  expect(refusal('--no-json')).toEqual([`There is no option --no-json.${help}`, 2])
  expect(refusal('extra')).toEqual([`Unexpected argument 'extra'.${help}`, 2])
})

test('a missing value and an invalid one have different messages', () => {
  expect(wrongOption('email', undefined).message).toMatch(/^--email is missing\. --help/)
  expect(wrongOption('email', 'nobody').message).toMatch(/^--email is not valid\. --help/)
})

test('right options and arguments are read', () => {
  expect(parse('--json', 'one', '--mail=-a@example.com', '--group', 'x', '--group', 'y', '--', '--two')).toMatchObject({
    values: { json: true, mail: '-a@example.com', group: ['x', 'y'] },
    positionals: ['one', '--two'],
  })
})
