import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../run-command.ts'
import { NATIVE_PACKAGES } from '../server-bundle.ts'

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }

/** The packages that the bundle loads from node_modules, with theirs, as far as they are installed for this platform. */
export function runtimePackages(): string[] {
  const found = new Set<string>()
  const waiting = [...NATIVE_PACKAGES]
  for (const name of waiting) {
    const folder = join(ROOT, 'node_modules', name)
    // Packages of other platforms are not installed.
    if (found.has(name) || !existsSync(folder)) continue
    found.add(name)
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Manifest
    waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }))
  }
  return [...found].sort()
}
