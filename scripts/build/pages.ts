import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from '../../web/build/fingerprint.ts'
import { ROOT } from '../run-command.ts'

/** Builds the pages if their sources have changed. The check does not load the bundler, which is slow to load. */
export async function ensurePages(): Promise<void> {
  const web = join(ROOT, 'web')
  const stamp = join(web, 'dist/stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === (await fingerprint(web))) return
  console.log('Building the pages …')
  // In a separate process, so that the memory of the bundler is released.
  const { status } = spawnSync(process.execPath, [join(web, 'build.ts')], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('The build of the pages failed; see the output above.')
}
