import { readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { configuration, DEFAULT_LOCALE, type InputOf, Problem } from '@vrata/contract'
import { problemKey, translator } from '@vrata/phrases'
import { print } from '../adapters/standard-output.ts'
import type { Config } from '../config/config.ts'
import { applyConfiguration, getConfiguration } from '../features/configuration/public.ts'
import { fromJson, fromYaml, type SentDocument } from '../http/bodies/documents.ts'
import { invalidRequest } from '../http/problems.ts'
import { toYaml } from '../lib/formats/yaml.ts'
import { CommandError } from './command-error.ts'
import { JSON_ONLY, onlyArgument, parseCommand } from './command-line.ts'
import { withDeps } from './with-deps.ts'

/** Milliseconds: a document may have very many members. */
const TIMEOUT = 120_000

/** Exit code of a dry run that finds differences. */
const DIFFERS = 3

/** `vrata config export [--format yaml|json] [--members] [FILE]`: writes the document to a file, or to stdout. */
export async function exportConfiguration(config: Config, args: string[]): Promise<void> {
  const options = { format: { type: 'string', default: 'yaml' }, members: { type: 'boolean' } } as const
  const { values, positionals } = parseCommand(args, options)
  const [file, ...more] = positionals
  const write = new Map([
    ['yaml', toYaml],
    ['json', (value: unknown) => `${JSON.stringify(value, null, 2)}\n`],
  ]).get(values.format)
  if (!write) throw new CommandError('--format must be yaml or json.', { exitCode: 2 })
  if (more.length > 0) throw new CommandError('Give at most one file.', { exitCode: 2 })
  await withDeps(config, async (deps) => {
    const text = write(await getConfiguration(deps, undefined, { members: values.members === true }))
    if (file === undefined) return await print([text])
    await writeFile(file, text).catch((cause) => {
      throw new CommandError(`${file} cannot be written: ${cause.message}`, { cause })
    })
  })
}

/** `vrata config apply FILE [--dry-run]`: applies a document as a whole, and prints what has changed or would change. */
export async function applyConfigurationFile(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, { 'dry-run': { type: 'boolean' }, ...JSON_ONLY })
  const file = onlyArgument(positionals, 'one file')
  const dry_run = values['dry-run'] === true
  const { input, place } = await readInput(file)
  await withDeps(config, async (deps) => {
    const apply = applyConfiguration(
      deps,
      { command: 'vrata config apply' },
      { ...input, dry_run },
      { timeout: TIMEOUT },
    )
    const answer = await apply.catch((error: unknown) => {
      throw error instanceof Problem ? refused(file, error, place) : error
    })
    if (dry_run && answer.changes.length > 0) process.exitCode = DIFFERS
    console.log(values.json ? JSON.stringify(answer) : sentences(answer, dry_run).join('\n'))
  })
}

type Input = InputOf<typeof configuration.updateConfiguration>
type PositionOf = NonNullable<SentDocument['place']>

async function readInput(file: string): Promise<{ input: Input; place: PositionOf | undefined }> {
  const isJson = extname(file).toLowerCase() === '.json'
  const bytes = await readFile(file).catch((cause) => {
    throw new CommandError(`${file} cannot be read: ${cause.message}`, { exitCode: 2, cause })
  })
  // Without a byte order mark, as in a request.
  const text = new TextDecoder().decode(bytes)
  try {
    // JSON is YAML, so that its mistakes have lines, too; but its syntax is checked.
    if (isJson) fromJson(text)
    const { value, place } = await fromYaml(text)
    if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
      throw new CommandError(
        `${file} is no document of settings; "vrata config export" writes one. Nothing has changed.`,
        { exitCode: 2 },
      )
    await insertPictures(file, value)
    const parsed = configuration.updateConfiguration.body.strict().safeParse(value ?? {}, { reportInput: true })
    if (!parsed.success)
      throw refused(file, invalidRequest(parsed.error.issues), place, acceptedValues(parsed.error.issues))
    return { input: parsed.data, place }
  } catch (error) {
    throw error instanceof Problem
      ? new CommandError(`${file}: ${error.message}`, { exitCode: 2, cause: error })
      : error
  }
}

/** Replaces names of picture files, which are relative to the document, with their data. */
async function insertPictures(file: string, document: unknown): Promise<void> {
  const branding = (document as { branding?: Record<string, unknown> | null } | undefined)?.branding
  if (typeof branding !== 'object' || branding === null) return
  for (const name of configuration.PICTURES) {
    const named = branding[name]
    if (typeof named !== 'string' || named === '' || named.startsWith('data:')) continue
    const bytes = await readFile(resolve(dirname(file), named)).catch((cause) => {
      throw new CommandError(`${file}: the picture of branding.${name} cannot be read: ${cause.message}`, {
        exitCode: 2,
        cause,
      })
    })
    const type = extname(named).slice(1).toLowerCase().replace('jpg', 'jpeg') || 'png'
    branding[name] = `data:image/${type};base64,${bytes.toString('base64')}`
  }
}

/** Allowed values of enumerated fields, by path. */
function acceptedValues(issues: Parameters<typeof invalidRequest>[0]): Map<string, string> {
  const choices = issues.filter((issue) => issue.code === 'invalid_value')
  return new Map(choices.map(({ path, values }) => [path.join('.'), `Use one of these: ${values.join(', ')}.`]))
}

/** One line for each field that is wrong, with its line and column. */
function refused(
  file: string,
  problem: Problem,
  place: PositionOf | undefined,
  accepted?: Map<string, string>,
): CommandError {
  const t = translator(DEFAULT_LOCALE)
  const fields = Object.entries(problem.fields ?? {})
  const says =
    fields.length > 0
      ? fields.map(([path, code]) => {
          const sentence = accepted?.get(path) ?? t(`problems.field.${code}` as never)
          return `${path}${positionOf(place, path)}: ${sentence}`
        })
      : [t(problemKey(problem.code), problem.params)]
  const lead = `${file} was not applied; nothing has changed.`
  return new CommandError([lead, ...says].join('\n'), { exitCode: fields.length > 0 ? 2 : 1, cause: problem })
}

function positionOf(place: PositionOf | undefined, path: string): string {
  const found = place?.(path.split('.'))
  return found ? ` (${found})` : ''
}

function sentences({ changes, affected }: configuration.ConfigurationChanges, dry_run: boolean): string[] {
  if (changes.length === 0) return ['Nothing differs from the document.']
  const lines = changes.map(({ path, from, to }) => `${path}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`)
  if (affected)
    lines.push(
      `Of ${affected.people} people, ${affected.locked_out} could not sign in any more, and ${affected.second_factor_setup} would have to set up a second factor.`,
    )
  return [...lines, dry_run ? 'Nothing was changed: this is a dry run.' : 'The document is applied.']
}
