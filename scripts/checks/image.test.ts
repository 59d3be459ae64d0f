import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const IMAGE = 'vrata-image-test'
/** Size that an image may have besides its base (operation §5). */
const LARGEST = 120e6
/** Debian's base, the packages of npm and the build of the release. */
const BUILDING = 900_000
const PORT = '3974'

const folder = mkdtempSync(join(tmpdir(), 'vrata-image-'))
const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8', cwd: ROOT }).trim()
/** The image with a root that can only be read, a folder for its data, and the environment and user that it names. */
const STARTED = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && mount -t tmpfs none "$1/tmp" && mount --bind "$2" "$1/data"
root=$1 && shift 2 && exec env -i "$@"`

afterAll(() => {
  if (!process.env.VRATA_TEST_IMAGE) return
  spawnSync('buildah', ['umount', IMAGE])
  spawnSync('buildah', ['rm', IMAGE])
  spawnSync('buildah', ['rmi', `${IMAGE}-base`, IMAGE])
  rmSync(folder, { recursive: true, force: true })
})

/** The commands of the operators' guide, with a folder and names of this test. */
function commands(): string {
  const guide = readFileSync(join(ROOT, 'docs/guides/operate.md'), 'utf8')
  const [, block] = /```sh\n(base=.*?)```/s.exec(guide) ?? []
  if (!block) throw new Error('The guide has no commands that make a base.')
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const inBase = '/etc/ssl/certs/of-this-machine.pem'
  return block
    .replace(/^base=.*/, `base=${folder}/base`)
    .replace(' vrata-base\n', ` ${IMAGE}-base\n`)
    .replace('localhost/vrata-base', `localhost/${IMAGE}-base`)
    .replace('-t vrata .', `-t ${IMAGE} .`)
    .replace('container=', authorities ? `cp "${authorities}" "$base${inBase}"\ncontainer=` : 'container=')
    .replace('--build-arg', authorities ? `--build-arg NODE_EXTRA_CA_CERTS=${inBase} --build-arg` : '--build-arg')
}

test.skipIf(!process.env.VRATA_TEST_IMAGE)(
  'the image of the guide is small, has no npm, and serves as a user without rights from a root that can only be read (`npm run image`)',
  async () => {
    const built = spawnSync('sh', ['-eu', '-c', commands()], { cwd: ROOT, encoding: 'utf8', timeout: BUILDING })
    expect(built.status, `${built.stdout}${built.stderr}`.slice(-3000)).toBe(0)
    run('buildah', 'from', '--name', IMAGE, `localhost/${IMAGE}`)
    const root = run('buildah', 'mount', IMAGE)
    expect(Number(run('du', '-sb', join(root, 'vrata')).split('\t')[0])).toBeLessThan(LARGEST)
    for (const path of ['usr/local/lib/node_modules', 'usr/local/bin/npm', 'usr/local/bin/npx', 'src'])
      expect(existsSync(join(root, path)), path).toBe(false)

    const { Docker } = JSON.parse(run('buildah', 'inspect', '--type', 'image', `localhost/${IMAGE}`))
    const { User, Env, Cmd, Healthcheck, Volumes } = Docker.config
    expect({ User, Cmd, Volumes }).toEqual({ User: '1000:1000', Cmd: ['vrata', 'serve'], Volumes: { '/data': {} } })
    const data = join(folder, 'data')
    mkdirSync(data)
    run('chown', User, data)
    const inImage = (...command: string[]) => {
      const env = [...Env.filter((one: string) => !/^(PORT|HOST)=/.test(one)), `PORT=${PORT}`, 'HOST=127.0.0.1']
      const args = ['--mount', 'sh', '-ec', STARTED, 'sh', root, data, ...env]
      return spawn('unshare', [...args, 'chroot', `--userspec=${User}`, root, ...command], { stdio: 'pipe' })
    }
    const result = async (...command: string[]) => {
      const child = inImage(...command)
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
      const code = await new Promise((resolve) => child.on('close', resolve))
      return { code, said }
    }
    const check = Healthcheck.Test.slice(1) as string[]
    expect((await result(...check)).code).toBe(1)
    const server = inImage(...(Cmd as string[]))
    const ended = new Promise((resolve) => server.on('close', resolve))
    try {
      const ready = async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined))?.status
      for (let tries = 0; tries < 100 && (await ready()) !== 200; tries++) await pause(200)
      expect(await ready()).toBe(200)
      expect(await result(...check)).toEqual({ code: 0, said: '' })
      expect((await result('touch', '/vrata/file')).said).toContain('Read-only file system')
      expect(await result('vrata', 'doctor')).toMatchObject({ code: 0, said: expect.stringContaining('up to date') })
      expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
    } finally {
      server.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  },
  BUILDING + 60_000,
)
