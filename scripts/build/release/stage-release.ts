import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROOT } from '../../run-command.ts'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../server-bundle.ts'
import { releaseNotes } from './release-notes.ts'
import { runtimePackages } from './runtime-packages.ts'
import { sbom } from './sbom.ts'

/** Files of a release besides the packages: programs, and documents for operators. */
const CONTENT = [
  'server/dist/**',
  'server/package.json',
  'web/dist/**',
  'deploy/**',
  'docs/guides/**',
  'docs/runbook/**',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
]

/** Megabytes of a release, and so of an image without its base. */
const MOST_MB = 120

/** Files that a build leaves for the next one. */
const LEFT_OUT = [/(^|\/)stamp$/, /\.vite\//, /\.map$/, /\.d\.[cm]?ts$/]

/**
 * Writes everything that a server needs besides Node.js into an empty folder: programs, pages, native packages, the files for
 * installing them, the bill of materials, the notes of the version, and the hashes of all files.
 */
export async function stageRelease(folder: string, release: { version: string; commit: string }): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const packages = runtimePackages().map((name) => `node_modules/${name}/**`)
  for (const file of filesOf(ROOT, [...CONTENT, ...packages])) {
    if (LEFT_OUT.some((pattern) => pattern.test(file))) continue
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(ROOT, file), join(folder, file), { dereference: true })
  }
  const write = (file: string, text: string) => writeFile(join(folder, file), text)
  const { version, commit } = release
  const { node } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).dependencies as { node: string }
  await write(
    'RELEASE',
    `version ${version}\ncommit ${commit}\nplatform ${process.platform}-${process.arch}\nbuilt for Node.js ${node}\n`,
  )
  await write(
    'RELEASE-NOTES.md',
    `# Vrata ${version}\n\n${releaseNotes(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)}\n`,
  )
  await write('sbom.cdx.json', await sbom())
  await mkdir(join(folder, 'bin'))
  await write('bin/vrata', command())
  await chmod(join(folder, 'bin/vrata'), 0o755)
  const lines = []
  for (const file of filesOf(folder, ['**'])) lines.push(`${await hashOf(join(folder, file))}  ${file}\n`)
  await write('SHA256SUMS', lines.join(''))
  await checkSize(folder, MOST_MB)
}

/** Throws when the files of a release are larger than it may be. */
export async function checkSize(folder: string, most: number): Promise<void> {
  const sizes = await Promise.all(filesOf(folder, ['**']).map(async (file) => (await stat(join(folder, file))).size))
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  if (megabytes > most) throw new Error(`The release has ${megabytes.toFixed(1)} MB, more than ${most}`)
}

/** `bin/vrata`: the only place of a release that says the flags of Node and the environment. An operator's environment wins. */
export function command(): string {
  const program = '"$(dirname "$(readlink -f "$0")")/../server/dist/cli.js"'
  const environment = Object.entries(SERVER_ENVIRONMENT).map(([key, value]) => `export ${key}="\${${key}:-${value}}"\n`)
  return `#!/bin/sh\n${environment.join('')}exec node ${SERVER_FLAGS.join(' ')} ${program} "$@"\n`
}

function filesOf(folder: string, patterns: string[]): string[] {
  return globSync(patterns, { cwd: folder, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

export async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
