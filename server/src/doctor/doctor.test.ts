import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { problem } from '@vrata/contract'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startPostgres, startReplica } from '../../../scripts/suites/postgres.ts'
import { writePlaces } from '../../test/adapters/geoip-file.ts'
import { freshDatabase, testEngine } from '../../test/databases/template-db.ts'
import { settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { makeCertificates } from '../../test/proxies/certificate-files.ts'
import { readConfig } from '../config/config.ts'
import type { DatabaseFacts } from '../db/inspect.ts'
import { openDatabase } from '../db/open.ts'
import { describeCertificate } from './certificate.ts'
import { checkBackup, checkClock, checkMigrations, checkSettings } from './checks.ts'
import * as clientAddress from './client-address.ts'
import { doctor } from './doctor.ts'

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

/** Runs the doctor on a new installation with these settings; returns its lines and exit code. */
async function runDoctor(settings: (folder: string) => Record<string, string>, ...args: string[]) {
  return await runDoctorFor(60_000, settings, ...args)
}

/** The same, with the milliseconds for each check. */
async function runDoctorFor(patience: number, settings: (folder: string) => Record<string, string>, ...args: string[]) {
  const { dataDir, url, remove } = await freshDatabase()
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  // Nothing listens at this port; at 3000 a developer's own server may.
  const env = { PORT: '1', VRATA_DATA_DIR: dataDir, ...(url ? { VRATA_DATABASE_URL: url } : {}), ...settings(dataDir) }
  await doctor(readConfig(env), args, env, patience)
  const outbox = readdirSync(dataDir).includes('outbox')
  const mails = outbox
    ? readdirSync(join(dataDir, 'outbox')).map((file) => readFileSync(join(dataDir, 'outbox', file), 'utf8'))
    : []
  await remove()
  return { lines, mails, locations: lines.find((line) => / locations: /.test(line)), exit: process.exitCode }
}

test('reports no problem for a new installation, and that locations are not shown', async () => {
  const { lines, locations, exit } = await runDoctor(() => ({}))
  const wrong = lines.filter((line) => !line.startsWith('ok '))
  // PostgreSQL of the tests does not wait for the disk; the doctor must notice.
  if (testEngine === 'postgres') expect(wrong.join()).toMatch(/^wrong database: PostgreSQL \d.*fsync is off/)
  else expect(wrong).toEqual([])
  expect(lines.map((line) => line.slice(6).split(':')[0])).toEqual([
    'settings',
    'address',
    'proxies',
    'disk',
    'files',
    'database',
    'clock',
    'migrations',
    'secret',
    'client address',
    'backup',
    'mail',
    'metrics',
    'client certificates',
    'locations',
  ])
  expect(locations).toBe('ok    locations: not shown; VRATA_GEOIP_FILE is not set')
  expect(exit).toBe(testEngine === 'postgres' ? 1 : 0)
})

test.runIf(testEngine === 'postgres')('says whether lists are read from the replica', async () => {
  const primary = await startPostgres({ replicated: true })
  onTestFinished(() => primary.stop())
  const store = await openDatabase({ url: primary.url, dataDir: '' })
  await store.migrate()
  await store.close()
  const standby = await startReplica(primary)
  onTestFinished(() => standby.stop())
  const replicaLine = async (replica: string) => {
    const settings = {
      VRATA_DATABASE_URL: primary.url,
      VRATA_DATABASE_REPLICA_URL: replica,
      VRATA_SECRET: 'a secret that is long enough, and of nobody',
      VRATA_LOG_LEVEL: 'silent',
    }
    return (await runDoctor(() => settings)).lines.find((line) => / replica: /.test(line))
  }
  expect(await replicaLine(standby.url)).toBe('ok    replica: lists and statistics are read from it')
  expect(await replicaLine(primary.url)).toMatch(/^wrong replica: the primary answers in its place/)
})

test.runIf(testEngine === 'postgres')('log lines are not mixed with the output of a command', async () => {
  const { dataDir, url, remove } = await freshDatabase()
  onTestFinished(remove)
  const settings = {
    ...settingsOf({ dataDir, url }),
    VRATA_DATABASE_REPLICA_URL: url as string,
    VRATA_LOG_LEVEL: 'info',
    VRATA_SECRET: 'a secret that is long enough, and of nobody',
    PORT: '1',
  }
  const { stdout, stderr } = await vrata(settings, 'doctor')
  expect(stdout.split('\n').filter((line) => !/^(ok {3}|wrong) |^$/.test(line))).toEqual([])
  expect(stdout).toContain('wrong replica: ')
  expect(stderr).toBe('')
  const listed = await vrata(settings, 'user', 'list', '--json')
  expect(listed).toMatchObject({ code: 0, stdout: '' })
  expect(listed.stderr).toContain('Reads go to the primary, not to the replica')
})

test('describes the location file', async () => {
  const { locations } = await runDoctor((folder) => {
    const file = join(folder, 'places.mmdb')
    writePlaces(file, { '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' } })
    return { VRATA_GEOIP_FILE: file }
  })
  expect(locations).toBe('ok    locations: Vrata-Test-City, 2026-11-18')
})

test('reports a missing location file as wrong', async () => {
  const { locations, exit } = await runDoctor((folder) => ({ VRATA_GEOIP_FILE: join(folder, 'none.mmdb') }))
  expect(locations).toMatch(/^wrong locations: not shown; VRATA_GEOIP_FILE cannot be read: .*none\.mmdb/)
  expect(exit).toBe(1)
})

test('continues when a check gets no answer', async () => {
  vi.spyOn(clientAddress, 'checkClientAddress').mockReturnValue(new Promise(() => {}))
  const { lines, exit } = await runDoctorFor(3000, () => ({}))
  expect(lines).toContain('wrong client address: no answer for 3 seconds; is the disk or the server away?')
  expect(lines.at(-1)).toMatch(/ locations: /)
  expect(exit).toBe(1)
})

test('names the cause where a part of the server says only that it is unavailable', async () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
  vi.spyOn(clientAddress, 'checkClientAddress').mockRejectedValue(problem('unavailable', { cause: full }))
  const { lines } = await runDoctor(() => ({}))
  expect(lines).toContain('wrong client address: database or disk is full')
})

test('prints one line of JSON, and sends a test mail', async () => {
  const { lines, mails } = await runDoctor(() => ({}), '--json', '--mail', 'ana.kovac@example.com')
  const found = JSON.parse(lines.at(-1) as string)
  expect(found.checks).toContainEqual({ check: 'address', ok: true, says: 'http://localhost:1' })
  expect(mails).toHaveLength(1)
  expect(mails[0]).toContain('To: ana.kovac@example.com')
})

test('reports a proxy that the settings do not name, and settings that trust every sender', async () => {
  const proxies = async (settings: Record<string, string>) =>
    (await runDoctor(() => ({ VRATA_URL: 'https://vrata.invalid', ...settings }))).lines.find((line) =>
      / proxies: /.test(line),
    )
  expect(await proxies({})).toMatch(/^wrong .*VRATA_TRUST_PROXY is not set/)
  expect(await proxies({ VRATA_TRUST_PROXY: 'true' })).toMatch(/^wrong .*anybody/)
  expect(await proxies({ VRATA_TRUST_PROXY: 'loopback' })).toMatch(/^ok /)
})

test('reports a certificate that ends soon, one of an unknown authority, and a host that does not answer', async () => {
  const files = await makeCertificates(['localhost'])
  const read = (name: string) => readFileSync(join(files.folder, name), 'utf8')
  const server = createServer({ cert: read('localhost.crt'), key: read('localhost.key') })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await expect(describeCertificate(`https://localhost:${port}`)).rejects.toThrow(
    /^localhost:\d+: the authority of the certificate is not known here; .*NODE_EXTRA_CA_CERTS$/,
  )
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, files.authority])
  await expect(describeCertificate(`https://localhost:${port}`)).rejects.toThrow(
    /valid until .* [01] more days; renew it/,
  )
  await expect(describeCertificate(`https://127.0.0.1:${port}`)).rejects.toThrow('127.0.0.1')
  setDefaultCACertificates(trusted)
  server.close()
  rmSync(files.folder, { recursive: true })
  await expect(describeCertificate(`https://localhost:${port}`)).rejects.toThrow('ECONNREFUSED')
})

test('reports a backup that is old or missing, unless other programs make it', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000 - 1000).toISOString()
  const check = (last: number | undefined, oldest: number | undefined, backups_elsewhere = false) => {
    const [backup, account] = [last, oldest].map((days) => (days === undefined ? undefined : daysAgo(days)))
    return () => checkBackup({ backups_elsewhere }, { last: backup, oldest_account: account })
  }
  expect(check(undefined, undefined)()).toContain('there are no accounts yet')
  expect(check(undefined, 2)()).toBe('none was made with "vrata backup" yet')
  expect(check(undefined, 9)).toThrow(
    'none was made with "vrata backup", and there have been accounts for 9 days; make one, or set VRATA_BACKUPS=elsewhere',
  )
  expect(check(0, 900)()).toContain('the last one was made')
  expect(check(9, 900)).toThrow('9 days ago; make one')
  expect(check(9, 900, true)()).toContain('other programs')
  expect(check(undefined, 9, true)()).toContain('other programs')
})

test('names settings that do not exist, and not the variables of Kubernetes', () => {
  const kubernetes = { VRATA_SERVICE_HOST: '10.0.0.1', VRATA_PORT_3000_TCP: 'tcp://10.0.0.1:3000' }
  expect(checkSettings({ VRATA_URL: 'x', HOME: '/', ...kubernetes })).toBe('all are known')
  expect(() => checkSettings({ VRATA_TRUST_PROXI: 'loopback' })).toThrow('VRATA_TRUST_PROXI: there is no such setting')
})

test('says how many migrations are pending, and that the database is empty', () => {
  expect(checkMigrations([], 4)).toBe('up to date')
  expect(() => checkMigrations(['0003-c', '0004-d'], 4)).toThrow('0003-c, 0004-d pending; start the server')
  expect(() => checkMigrations(['0001-a', '0002-b', '0003-c', '0004-d'], 4)).toThrow(
    'the database is empty: 0001-a to 0004-d pending',
  )
})

test('says why a mail was not accepted and by which server, without its password', async () => {
  const mail = async (settings: Record<string, string>, ...args: string[]) =>
    (await runDoctor(() => settings, ...args)).lines.find((line) => / mail: /.test(line))
  const VRATA_SMTP_URL = 'smtp://vrata:geh%40eim@127.0.0.1:1'
  expect(await mail({ VRATA_SMTP_URL })).toBe('ok    mail: 127.0.0.1:1')
  expect(await mail({ VRATA_SMTP_URL }, '--mail', 'ana@example.com')).toBe(
    'wrong mail: 127.0.0.1:1 has not accepted a test mail to ana@example.com: connect ECONNREFUSED 127.0.0.1:1; see VRATA_SMTP_URL',
  )
  expect(await mail({ VRATA_URL: 'https://vrata.invalid' })).toMatch(/^wrong mail: VRATA_SMTP_URL is not set/)
  await expect(mail({}, '--mail', 'ana')).rejects.toThrow('--mail is not valid.')
})

test('reports clocks that differ', () => {
  const facts: DatabaseFacts = { version: '', problems: [], now: new Date(Date.now() + 60_000) }
  expect(() => checkClock(facts)).toThrow('synchronize')
})
