import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from '../web/build/stamp.ts'
import { ROOT } from './command.ts'

/** Builds the pages unless they are what the files here would give. Looks before it loads the bundler: that takes longer. */
export async function ensurePages(): Promise<void> {
  const web = join(ROOT, 'web')
  const stamp = join(web, 'dist/stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === (await fingerprint(web))) return
  console.log('Building the pages …')
  // In a process of its own: the memory that a bundler leaves behind is not the server's to carry.
  const { status } = spawnSync(process.execPath, [join(web, 'build.ts')], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('The pages could not be built; what is wrong stands above.')
}
