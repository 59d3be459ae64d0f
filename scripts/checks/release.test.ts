import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { releaseNotes } from '../build/release/release-notes.ts'
import { runtimePackages } from '../build/release/runtime-packages.ts'
import { packagesOf, sbom } from '../build/release/sbom.ts'
import { checkSize, command, hashOf } from '../build/release/stage-release.ts'
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from '../build/server-bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vrata-release-'))
afterAll(() => rmSync(folder, { recursive: true }))

const CHANGES = '# Changelog\n\n## Unreleased\n\nNew.\n\n## 1.2.0 (2026-12-01)\n\nOld.\n\n## 1.1.0\n\nOlder.\n'

test('the notes of a version are its section of the changelog', () => {
  expect(releaseNotes(CHANGES, '1.2.0')).toBe('Old.')
  expect(releaseNotes(CHANGES, '1.3.0')).toBe('New.')
  expect(() => releaseNotes('# Changelog\n', '1.3.0')).toThrow('CHANGELOG.md')
})

test('a release has the native packages and theirs, and no others', () => {
  const names = runtimePackages()
  expect(names).toEqual(expect.arrayContaining(['sharp', 'detect-libc', '@node-rs/argon2']))
  expect(names.some((name) => name.startsWith('@img/sharp-libvips-'))).toBe(true)
  expect(names.length).toBeLessThan(15)
})

test('the bill of materials is CycloneDX 1.5 and names every package of a release with its hash', async () => {
  const bom = JSON.parse(await sbom()) as {
    components: { 'bom-ref': string; type: string; name: string; version: string; purl: string; hashes: object[] }[]
    dependencies: { ref: string; dependsOn?: string[] }[]
  }
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    version: 1,
    metadata: { component: { type: 'application', name: 'vrata', 'bom-ref': expect.any(String) } },
  })
  for (const { type, name, version, purl, hashes } of bom.components) {
    expect({ type, purl }).toEqual({ type: 'library', purl: `pkg:npm/${name.replace('@', '%40')}@${version}` })
    expect(hashes, name).not.toEqual([])
  }
  const refs = bom.components.map((one) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  const known = new Set([...refs, 'vrata@0.1.0'])
  for (const { ref, dependsOn = [] } of bom.dependencies)
    expect([...known]).toEqual(expect.arrayContaining([ref, ...dependsOn]))
  const names = bom.components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'oidc-provider', 'react', ...runtimePackages()]))
  expect(names).not.toContain('vitest')
})

test('packages of a lock file are found as Node finds them, and a missing one is an error', () => {
  const packages = {
    '': { dependencies: { one: '1' } },
    'node_modules/one': { version: '1.0.0', dependencies: { two: '1' }, optionalDependencies: { three: '1' } },
    'node_modules/one/node_modules/two': { version: '1.5.0', dependencies: { four: '1' } },
    'node_modules/two': { version: '2.0.0' },
    'node_modules/four': { version: '4.0.0', name: 'other' },
  }
  expect(packagesOf({ packages })).toEqual(['one@1.0.0', 'other@4.0.0', 'two@1.5.0'])
  const { 'node_modules/four': _, ...less } = packages
  expect(() => packagesOf({ packages: less })).toThrow('no four for node_modules/one/node_modules/two')
})

test('a release that is too large is an error, so that no image is', async () => {
  const large = mkdtempSync(join(folder, 'large-'))
  mkdirSync(join(large, 'deep'))
  for (const file of ['one', 'deep/two']) writeFileSync(join(large, file), Buffer.alloc(600_000))
  await expect(checkSize(large, 1)).rejects.toThrow('The release has 1.2 MB, more than 1')
  await checkSize(large, 2)
})

test('the image, the service and the command line start `bin/vrata`', () => {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  expect(read('Containerfile')).toMatch(/^CMD \["vrata", "serve"\]$/m)
  expect(read('Containerfile')).toMatch(/^ENV .* PATH=\/vrata\/bin:/m)
  expect(read('deploy/systemd/vrata.service')).toMatch(/^ExecStart=\/opt\/vrata\/current\/bin\/vrata serve$/m)
  const starts = read('deploy/systemd/vrata-command').match(/^ *exec .*/gm)
  expect(starts).toHaveLength(2)
  for (const start of starts ?? []) expect(start).toMatch(/\/opt\/vrata\/current\/bin\/vrata "\$@"$/)
})

test('`bin/vrata` limits memory as `npm start` does, through a link, and leaves the environment of an operator', () => {
  const release = join(folder, 'started')
  mkdirSync(join(release, 'server/dist'), { recursive: true })
  mkdirSync(join(release, 'bin'))
  const print = 'console.log(JSON.stringify([process.execArgv, process.argv.slice(2), process.env.MALLOC_ARENA_MAX]))\n'
  writeFileSync(join(release, 'server/dist/cli.js'), print)
  writeFileSync(join(release, 'bin/vrata'), command(), { mode: 0o755 })
  symlinkSync('started', join(folder, 'current'))
  const run = (env: Record<string, string>, ...args: string[]) => {
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
    return JSON.parse(
      spawnSync(join(folder, 'current/bin/vrata'), args, { encoding: 'utf8', env: { ...env, PATH } }).stdout,
    )
  }
  expect(run({}, 'user', 'show', 'a b')).toEqual([
    SERVER_FLAGS,
    ['user', 'show', 'a b'],
    SERVER_ENVIRONMENT.MALLOC_ARENA_MAX,
  ])
  expect(run({ MALLOC_ARENA_MAX: '8' })).toEqual([SERVER_FLAGS, [], '8'])
})

/** A release with the real installer, and a program in place of the server. */
async function unpacked(version: string): Promise<string> {
  const release = join(folder, `vrata-${version}`)
  const files = ['server/dist/cli.js', 'RELEASE']
  mkdirSync(join(release, dirname(files[0] as string)), { recursive: true })
  writeFileSync(join(release, 'server/dist/cli.js'), `console.log('${version}')\n`)
  writeFileSync(join(release, 'RELEASE'), `version ${version}\n`)
  cpSync(join(ROOT, 'deploy'), join(release, 'deploy'), { recursive: true })
  const sums = await Promise.all(files.map(async (file) => `${await hashOf(join(release, file))}  ${file}\n`))
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  return release
}
const install = (release: string, ...args: string[]) =>
  spawnSync('sh', [join(release, 'deploy/install.sh'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })

test('the installer upgrades, keeps the settings and the former version, and refuses changed files', async () => {
  const root = join(folder, 'machine')
  const first = install(await unpacked('1.0.0'), '--root', root)
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('Vrata 1.0.0 is installed') })
  const settings = join(root, 'etc/vrata/vrata.env')
  writeFileSync(settings, 'PORT=4000\n')
  chmodSync(settings, 0o640)

  expect(install(await unpacked('1.1.0'), '--root', root)).toMatchObject({ status: 0 })
  expect(readFileSync(join(root, 'opt/vrata/current/RELEASE'), 'utf8')).toBe('version 1.1.0\n')
  expect(existsSync(join(root, 'opt/vrata/1.0.0/server/dist/cli.js'))).toBe(true)
  expect(readFileSync(settings, 'utf8')).toBe('PORT=4000\n')
  expect(existsSync(join(root, 'etc/systemd/system/vrata.service'))).toBe(true)

  const changed = await unpacked('1.2.0')
  writeFileSync(join(changed, 'server/dist/cli.js'), 'something else\n')
  const refused = install(changed, '--root', root)
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('not those of the release') })
  expect(readFileSync(join(root, 'opt/vrata/current/RELEASE'), 'utf8')).toBe('version 1.1.0\n')
  expect(install(changed, '--rot')).toMatchObject({ status: 2, stderr: expect.stringContaining('--rot is not known') })
})

test('the installer refuses to install a release over itself, also through the link to it', async () => {
  const root = join(folder, 'a machine')
  expect(install(await unpacked('2.0.0'), '--root', root)).toMatchObject({ status: 0 })
  for (const name of ['2.0.0', 'current'])
    expect(install(join(root, 'opt/vrata', name), '--root', root)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the installed release itself'),
    })
  expect(readFileSync(join(root, 'opt/vrata/current/RELEASE'), 'utf8')).toBe('version 2.0.0\n')
})

test('the user of the server can read the installed files, whatever the umask of root is', async () => {
  const root = join(folder, 'hardened')
  const release = await unpacked('2.1.0')
  const script = `umask 077; exec sh "$0" --root "$1"`
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  const { status } = spawnSync('sh', ['-c', script, join(release, 'deploy/install.sh'), root], { env })
  expect(status).toBe(0)
  for (const path of ['opt', 'opt/vrata', 'opt/vrata/2.1.0', 'opt/vrata/2.1.0/server/dist/cli.js', 'etc/vrata'])
    expect([path, statSync(join(root, path)).mode & 0o004]).toEqual([path, 0o004])
  expect(statSync(join(root, 'etc/vrata/vrata.env')).mode & 0o007).toBe(0)
})

/** The end of the installer with programs in place of those that change users, on a machine without systemd. */
test.each([
  { has: [], does: ['groupadd --system vrata', 'useradd --system --gid vrata'] },
  { has: ['group'], does: ['useradd --system --gid vrata'] },
  { has: ['passwd'], does: ['groupadd --system vrata'] },
  { has: ['group', 'passwd'], does: [] },
])('the installer makes the user and the group that are missing where there is $has', ({ has, does }) => {
  const text = readFileSync(join(ROOT, 'deploy/install.sh'), 'utf8')
  const end = text.slice(text.indexOf('getent group'), text.indexOf('# A service looks'))
  const machine = `getent() { case " ${has.join(' ')} " in *" $1 "*) ;; *) return 2;; esac; }
    groupadd() { echo "groupadd $*"; }
    useradd() { echo "useradd $*"; }`
  const { stdout, status } = spawnSync('sh', ['-euc', `${machine}\n${end}`], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(
    stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replace(/ --home-dir.*/, '')),
  ).toEqual(does)
})

test.each([
  { node: 'runs', status: 0, stderr: '' },
  { node: 'is not found', status: 1, stderr: expect.stringContaining('The user vrata cannot run Node.js') },
])('the installer says so where Node.js $node for the user of the server', ({ status, stderr }) => {
  const text = readFileSync(join(ROOT, 'deploy/install.sh'), 'utf8')
  const [fail] = /^fail\(\).*$/m.exec(text) ?? []
  const end = text.slice(text.indexOf('# A service looks'), text.indexOf('install -d'))
  const machine = `versionCheck=\n${fail}\nsetpriv() { return ${status}; }`
  const ended = spawnSync('sh', ['-euc', `${machine}\n${end}`], { encoding: 'utf8' })
  expect(ended).toMatchObject({ status, stderr })
})

test('the command of an installed server reads its settings as systemd does, not as a shell', () => {
  const settings = join(folder, 'vrata.env')
  const program = join(folder, 'print-settings')
  const started = join(folder, 'vrata-command')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} -p 'JSON.stringify(process.env)'\n`, { mode: 0o755 })
  const text = readFileSync(join(ROOT, 'deploy/systemd/vrata-command'), 'utf8')
    .replace('/etc/vrata/vrata.env', settings)
    .replaceAll('/opt/vrata/current/bin/vrata', program)
    .replace('$(id -u)', '1000')
  writeFileSync(started, text, { mode: 0o755 })
  const run = (env = {}) =>
    spawnSync(started, ['doctor'], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })
  expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining(`${settings} cannot be read`) })

  // These lines as systemd 252 reads them; only systemd continues a comment that ends with a backslash.
  const lines: [string, string][] = [
    ['VRATA_URL=https://id.example.com', 'https://id.example.com'],
    [
      'VRATA_MEDIA_URL=s3://files/one?region=eu&endpoint=https://s3.example.com',
      's3://files/one?region=eu&endpoint=https://s3.example.com',
    ],
    ['VRATA_MAIL_FROM=Example <no-reply@example.com>', 'Example <no-reply@example.com>'],
    ["VRATA_MTLS_HEADER='X-Client-Cert pem'", 'X-Client-Cert pem'],
    ['VRATA_GEOIP_FILE="/srv/locations of all.mmdb"', '/srv/locations of all.mmdb'],
    ['VRATA_SECRET=$(id)`id`$HOME#;*=', '$(id)`id`$HOME#;*='],
    ['BARE=one\\two\\\\three', 'onetwo\\three'],
    ['DOUBLE="\\n \\" \\\\ \\$ \'"', '\\n " \\ $ \''],
    ["SINGLE='\\n \\\\ \"'", '\\n \\\\ "'],
    ['CONTINUED=one\\\ntwo', 'onetwo'],
    ['  SPACED = one  two \t ', 'one  two'],
    ['PIECES="one"two\'three\'', "onetwo'three'"],
    ["APOSTROPHE=it's", "it's"],
    ['WINDOWS=one\r', 'one'],
    ['TWO_LINES="one\ntwo"', 'one\ntwo'],
    ['EMPTY=', ''],
  ]
  const ignored = ['# VRATA_PORT=1', '; A=1', '', 'no setting', '1A=1', '# the end\\']
  writeFileSync(settings, [...ignored, ...lines.map(([line]) => line)].join('\n'))
  const { status, stdout, stderr } = run()
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { NODE_ENV, PATH, PWD, VRATA_DATA_DIR, VRATA_LOG_LEVEL, ...read } = JSON.parse(stdout)
  expect({ VRATA_DATA_DIR, VRATA_LOG_LEVEL }).toEqual({ VRATA_DATA_DIR: '/var/lib/vrata', VRATA_LOG_LEVEL: 'warn' })
  expect(read).toEqual(Object.fromEntries(lines.map(([line, value]) => [line.split('=')[0]?.trim(), value])))

  // A setting that stands before the command, as where a backup is restored elsewhere, counts in place of that of the file.
  const given = { VRATA_URL: 'https://other.example.com', VRATA_MEDIA_URL: '', EMPTY: 'of the shell' }
  expect(JSON.parse(run(given).stdout)).toMatchObject({ ...read, ...given, EMPTY: '' })
})

test('the unit lets Node.js ask for the addresses of the machine, without which it cannot listen at 0.0.0.0', () => {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/vrata.service'), 'utf8')
  expect(unit).toMatch(/^RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK$/m)
})

const analyze = () =>
  spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', 'deploy/systemd/vrata.service'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined

test.skipIf(isMissing)(
  'the unit has an exposure of at most 2.0 (skipped where systemd-analyze is not installed)',
  () => {
    const { status, stdout, stderr } = analyze()
    expect({ status, says: `${stdout}${stderr}`.split('\n').slice(-3) }).toMatchObject({ status: 0 })
    expect(stdout).toMatch(/Overall exposure level for vrata\.service: [01]\.\d/)
  },
)
