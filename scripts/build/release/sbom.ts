import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../run-command.ts'

/** The workspaces whose code a release contains. */
const SHIPPED = ['server', 'web', 'contract', 'phrases', 'sign-in']

type Manifest = { version: string; license: string; dependencies?: Record<string, string> }
type Component = { name: string; version: string; type: string; externalReferences?: { type: string }[] }
type Bom = { metadata: { component: Component }; components: Component[] }
/** Packages of a lock file (lockfileVersion 3) by their folder; '' is the root. */
type Lock = { packages: Record<string, Locked> }
type Locked = {
  name?: string
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

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
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
    lock.packages[''] = root
    await writeFile(join(folder, 'package.json'), JSON.stringify(root))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    const bom: Bom = JSON.parse(
      npm(folder, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--loglevel=error'),
    )
    // npm takes the name of the folder.
    Object.assign(bom.metadata.component, { name: root.name, type: 'application' })
    for (const component of bom.components) {
      // The registry from which this machine has loaded a package is private; the hash identifies the file.
      component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution')
    }
    const named = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
    const missing = packagesOf(lock).filter((one) => !named.has(one))
    if (missing.length) throw new Error(`The bill of materials does not name ${missing.join(', ')}`)
    return `${JSON.stringify(bom, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `name@version` of what the root of a lock file depends on, directly or not, found as Node finds it. */
export function packagesOf({ packages }: Lock): string[] {
  const found = new Set<string>([''])
  for (const folder of found) {
    const { dependencies, optionalDependencies } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placesOf(folder, name).find((one) => packages[one])
      if (place) found.add(place)
      else if (!optionalDependencies?.[name])
        throw new Error(`package-lock.json has no ${name} for ${folder || 'the root'}`)
    }
  }
  found.delete('')
  return [...found].map((folder) => `${nameOf(packages, folder)}@${packages[folder]?.version}`).sort()
}

/** The folders in which a package is looked for, the nearest first. */
function placesOf(folder: string, name: string): string[] {
  const parts = folder ? folder.split('/node_modules/') : []
  const above = parts.map((_, i) => parts.slice(0, parts.length - i).join('/node_modules/'))
  return [...above.map((one) => `${one}/node_modules/${name}`), `node_modules/${name}`]
}

/** An alias has its real name in the lock file. */
function nameOf(packages: Lock['packages'], folder: string): string {
  return packages[folder]?.name ?? (folder.split('node_modules/').at(-1) as string)
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'))
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
