import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { startCluster } from '../cluster/cluster.ts'
import { statusOf, until } from '../cluster/program.ts'
import { seedInstallation } from '../installation.ts'
import { Load } from './load.ts'

/** Milliseconds for which servers of both versions answer together. */
const TOGETHER = 10_000

const BUILD = `
const { ensurePages } = await import('./scripts/build/pages.ts')
const { ensureServer } = await import('./scripts/build/server-bundle.ts')
await ensurePages()
await ensureServer()`

/**
 * Starts servers of an older commit, and replaces one after the other by this version under load; the first of them migrates the
 * database. Resolves with whether nothing was refused, failed or lost. The older version reaches PostgreSQL without PgBouncer,
 * which not every commit supports.
 */
export async function rollingUpgrade(commit: string): Promise<boolean> {
  const old = mkdtempSync(join(tmpdir(), 'vrata-old-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  git('worktree', 'add', '--detach', '--force', old, commit)
  try {
    // Workspaces are relative links in node_modules, so a link to the folder would lead to the new version.
    execFileSync('cp', ['-a', '--reflink=auto', join(ROOT, 'node_modules'), old])
    console.log(`Building ${git('log', '-1', '--format=%h %s', commit)} …`)
    execFileSync(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: old, stdio: 'ignore' })
    return await upgradeFrom(join(old, 'server/dist/cli.js'), commit)
  } finally {
    git('worktree', 'remove', '--force', old)
    rmSync(old, { recursive: true, force: true })
  }
}

async function upgradeFrom(oldServer: string, commit: string): Promise<boolean> {
  const cluster = await startCluster({ server: oldServer, direct: true })
  try {
    const load = new Load(await seedInstallation(cluster))
    await pause(TOGETHER)
    load.damaged()
    for (const node of cluster.nodes) {
      await node.server.end('SIGTERM')
      node.replace(SERVER)
      await until(node.name, async () => (await statusOf(`${node.url}/readyz`)) === 200)
      await pause(TOGETHER)
    }
    const figures = await load.stop()
    console.log(JSON.stringify({ drill: 'rolling-upgrade', from: commit, ...figures }))
    return figures.refused + figures.failed + figures.lost + figures.spent_twice === 0
  } finally {
    await cluster.stop()
  }
}
