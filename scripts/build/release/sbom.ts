import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../run-command.ts'

/** The workspaces whose code a release contains. */
const SHIPPED = ['server', 'web', 'contract', 'phrases', 'sign-in']

type Manifest = { version: string; license: string; dependencies?: Record<string, string> }
type Bom = { components: { externalReferences?: { type: string }[] }[]; serialNumber?: string }

/**
 * The software bill of materials (CycloneDX, as JSON text) of everything that a release contains, bundled or not. npm derives it from
 * the lock file, reduced to what the shipped workspaces depend on: over all workspaces, npm leaves out what an example also uses.
 */
export async function sbom(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vrata-sbom-'))
  try {
    const { version, license } = await manifestOf('.')
    const dependencies: Record<string, string> = {}
    for (const workspace of SHIPPED) {
      for (const [name, range] of Object.entries((await manifestOf(workspace)).dependencies ?? {}))
        if (!name.startsWith('@vrata/')) dependencies[name] = range
    }
    const root = { name: 'vrata', version, license, private: true, dependencies }
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
    lock.packages[''] = root
    await writeFile(join(folder, 'package.json'), JSON.stringify(root))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    const bom: Bom = JSON.parse(
      npm(folder, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--loglevel=error'),
    )
    for (const component of bom.components) {
      // The registry from which this machine has loaded a package is nobody's business; the hash names the file.
      component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution')
    }
    return `${JSON.stringify(bom, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'))
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
