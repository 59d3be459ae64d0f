import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { type CommandOptions, ROOT, runCommand } from '../run-command.ts'
import type { SuiteOptions } from '../suites/suites.ts'
import type { TestResult } from '../suites/test-result.ts'
import { checkAsvs } from './asvs.ts'
import { checkCitations } from './citations.ts'
import { checkPhraseFiles } from './phrase-files.ts'
import { checkSizes } from './sizes.ts'
import { checkTableAccess } from './table-access.ts'

/** Resolves with the report of a failure, or with an empty text. */
type Check = { name: string; run: (options: Pick<CommandOptions, 'inBackground'>) => Promise<string> }

const FOLDERS = ['contract', 'phrases', 'sign-in', 'server', 'web', 'testing', 'e2e', 'bench', 'scripts', 'examples']

/** Caches by content, because a checkout changes the modification times. */
const IMPORTS_CACHE = ['--cache', 'node_modules/.cache/dependency-cruiser', '--cache-strategy', 'content']

/** The slowest first. The compiler keeps its own cache (`incremental` in tsconfig.base.json). */
const CHECKS: Check[] = [
  {
    name: 'format and lint',
    run: (options) => outputOf('biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched'], options),
  },
  ...globSync(['tsconfig.json', '*/tsconfig.json', 'examples/*/tsconfig.json'], { cwd: ROOT })
    .map((file) => dirname(file))
    // The settings of `e2e` include the files of `bench`: the modules of the server, which both import, are checked once.
    .filter((folder) => folder !== 'bench')
    // The first one is that of the root folder, with the server and what has the same settings.
    .sort()
    .map((folder): Check => ({ name: `types of ${folder}`, run: (options) => typesOf(folder, options) })),
  {
    name: 'import rules',
    run: (options) =>
      outputOf('depcruise', [...IMPORTS_CACHE, '--config', '.dependency-cruiser.mjs', ...FOLDERS], options),
  },
  { name: 'table access', run: async () => checkTableAccess().join('\n') },
  { name: 'phrases of pages', run: async () => checkPhraseFiles().join('\n') },
  { name: 'citations', run: async () => checkCitations().join('\n') },
  { name: 'ASVS requirements', run: async () => checkAsvs().join('\n') },
  { name: 'sizes', run: async () => checkSizes().join('\n') },
  { name: 'generated files', run: staleGeneratedFiles },
]

/** Static checks of the whole repository, two at a time. */
export async function runChecks({ inBackground }: SuiteOptions): Promise<TestResult> {
  const waiting = [...CHECKS]
  const reports: string[] = []
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const wrong = await check.run({ inBackground }).catch((error: Error) => String(error.stack))
      if (wrong) reports.push(`${check.name}\n${wrong}`)
    }
  }
  await Promise.all([worker(), worker()])
  return { passed: CHECKS.length - reports.length, failed: reports.length, report: reports.join('\n\n') }
}

/**
 * Checks the types of a folder. With several threads the compiler checks what they share once for each, and takes twice the
 * CPU time. It collects garbage only when it has more than 2 GiB, which no project needs.
 */
const typesOf = (folder: string, options: CommandOptions) =>
  outputOf('tsc', ['-p', folder, '--singleThreaded'], { ...options, env: { GOGC: 'off', GOMEMLIMIT: '2GiB' } })

/** The output of a program that fails. */
async function outputOf(program: string, args: string[], options: CommandOptions): Promise<string> {
  const { code, output } = await runCommand(program, args, options)
  return code === 0 ? '' : output.trim() || `${program} ended with ${code}`
}

async function staleGeneratedFiles(): Promise<string> {
  // Imported late: a contract that cannot be loaded fails this check only.
  const { staleFiles } = await import('../build/generated.ts')
  return staleFiles()
    .map((file) => `${file} is not what the contract says; run npm run gen`)
    .join('\n')
}
