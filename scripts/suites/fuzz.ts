import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEVELS } from '@vrata/contract'
import { ROOT, runCommand } from '../run-command.ts'
import type { SuiteOptions } from './suites.ts'
import type { TestResult } from './test-result.ts'

const VERSION = '4.32.5'
const FOLDER = join(homedir(), '.cache/vrata', `schemathesis-${VERSION}`)

/** All roles with random input and with sequences of calls. Takes about ten minutes. */
const WHOLE = ['nobody', 'user', ...LEVELS, 'operator'].flatMap((role) => ['--role', role])
const WHOLE_OPTIONS = ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', '50']

/** The part of `npm test`, the same at every run: systematically invalid and limiting values for every call, as an owner. */
const PART = ['--role', 'owner', '--', '--phases', 'examples,coverage', '--max-examples', '2', '--seed', '1']

/**
 * Schemathesis (Python) over the published description of the API: responses that it does not describe, errors of the
 * server, invalid input that is accepted, and calls without authentication fail. Skipped without Python 3.
 */
export async function runFuzz({ args, stream, inBackground }: SuiteOptions): Promise<TestResult> {
  const tool = await installSchemathesis()
  if (!tool)
    return {
      passed: 0,
      failed: 0,
      report: 'fuzz: skipped, because Schemathesis could not be installed (needs Python 3.10 with venv, and PyPI).',
    }
  const reports = await mkdtemp(join(tmpdir(), 'vrata-fuzz-'))
  const rest = stream ? (args.length ? args : [...WHOLE, '--', ...WHOLE_OPTIONS]) : PART
  const { code, output } = await runCommand(
    process.execPath,
    [join(ROOT, 'server/test/fuzz/main.ts'), '--tool', tool, '--reports', reports, ...rest],
    { stream, inBackground },
  )
  const counts = { passed: 0, failed: 0 }
  for (const name of await readdir(reports)) {
    const [, errors, failures, tests] =
      /<testsuites errors="(\d+)" failures="(\d+)" skipped="\d+" tests="(\d+)"/.exec(
        await readFile(join(reports, name), 'utf8'),
      ) ?? []
    const failed = Number(errors ?? 0) + Number(failures ?? 0)
    counts.failed += failed
    counts.passed += Number(tests ?? 0) - failed
  }
  await rm(reports, { recursive: true })
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return { ...counts, report: counts.failed ? output.trim() : '' }
}

/** Path of the command; installed once into a virtual environment of its own. Undefined when that fails. */
async function installSchemathesis(): Promise<string | undefined> {
  const tool = join(FOLDER, 'bin/st')
  if (existsSync(tool)) return tool
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', FOLDER]],
    [join(FOLDER, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]],
  ]
  for (const [command, args] of steps) if ((await runCommand(command, args)).code !== 0) return undefined
  return tool
}
