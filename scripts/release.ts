// `npm run release [-- --folder DIR]`: the release of this commit in `release/`: a tarball that needs Node.js and nothing else, its hash,
// its bill of materials (CycloneDX) and its notes. With --folder, only the unpacked release, which the image is made of.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePages } from './build/pages.ts'
import { hashOf, stageRelease } from './build/release/stage-release.ts'
import { ensureServer } from './build/server-bundle.ts'
import { ROOT } from './run-command.ts'

const { folder } = parseArgs({ options: { folder: { type: 'string' } } }).values
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }

await ensurePages()
await ensureServer()
if (folder) {
  await stageRelease(resolve(folder), { version, commit: commit() })
} else {
  const name = `vrata-${version}`
  const out = join(ROOT, 'release')
  const staged = join(out, name)
  const tarball = `${name}-${process.platform}-${process.arch}.tar.gz`
  await mkdir(out, { recursive: true })
  await stageRelease(staged, { version, commit: commit() })
  // The same files give the same bytes.
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${commitTime()}`]
  execFileSync('tar', [...same, '--use-compress-program=gzip -n -9', '-cf', join(out, tarball), '-C', out, name])
  await writeFile(join(out, `${tarball}.sha256`), `${await hashOf(join(out, tarball))}  ${tarball}\n`)
  for (const file of ['sbom.cdx.json', 'RELEASE-NOTES.md'])
    await copyFile(join(staged, file), join(out, `${name}-${file}`))
  const { size } = await stat(join(out, tarball))
  console.log(`release/${tarball}: ${(size / 1e6).toFixed(1)} MB`)
}

/** In the build of an image there is no repository. */
function commit(): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return stdout?.trim() || process.env.COMMIT || 'unknown'
}

function commitTime(): string {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })
  return stdout?.trim() || '0'
}
