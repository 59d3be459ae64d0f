import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from '../../web/build/fingerprint.ts'
import { ROOT, runCommand } from '../run-command.ts'

let ensured: Promise<void> | undefined

/** Builds the pages if their sources have changed; once for parts that run side by side. */
export function ensurePages(): Promise<void> {
  ensured ??= buildChanged()
  return ensured
}

/** The check does not load the bundler, which is slow to load. */
async function buildChanged(): Promise<void> {
  const web = join(ROOT, 'web')
  const stamp = join(web, 'dist/stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === (await fingerprint(web))) return
  console.log('Building the pages …')
  // In a separate process, so that the memory of the bundler is released.
  const { code } = await runCommand(process.execPath, [join(web, 'build.ts')], { stream: true })
  if (code !== 0) throw new Error('The build of the pages failed; see the output above.')
}
