import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { LIFETIMES } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { type Postgres, startPostgres } from '../../../scripts/suites/postgres.ts'
import { Browser } from '../../browser.ts'
import { type App, type Installation, seedInstallation } from '../../installation.ts'
import { basic, FORM, requestCode, requestToken } from '../../operations/workloads.ts'
import { onPostgres, seeded } from '../../scale/databases.ts'
import { SERVER, startVrata, type VrataTarget } from '../../targets.ts'
import { Load } from '../load.ts'
import { halfSignedIn, type Person, registerWithSecondFactor, sendCode, sessionAt } from '../people.ts'
import type { OneServerDrill, Outcome } from './one-server.ts'

const run = promisify(execFile)

const PEOPLE = Number(process.env.PEOPLE ?? 2_000)
/** Seconds that a backup and a restore of 100,000 people may take. */
const MOST = 60
const PASSPHRASE = { VRATA_BACKUP_PASSPHRASE: 'seven doors and no key' }
const ENGINES = ['sqlite', 'postgres'] as const
type Engine = (typeof ENGINES)[number]

export const BACKUP_DRILLS: Record<string, OneServerDrill> = {
  'backup-restored': drill('sqlite', 'SQLite'),
  'backup-restored-postgres': drill('postgres', 'PostgreSQL'),
}

function drill(source: Engine, name: string): OneServerDrill {
  return {
    says: `a server on ${name} with ${PEOPLE} people is backed up under load, and restored on both databases (PEOPLE sets another number)`,
    run: () => backedUpAndRestored(source),
  }
}

async function backedUpAndRestored(source: Engine): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-restored-'))
  // PostgreSQL, which does not run as root, has its files in another one.
  chmodSync(folder, 0o755)
  const postgres = await startPostgres({ durable: true })
  try {
    const { data, database } = await seeded(folder, PEOPLE, source === 'postgres' ? postgres : undefined)
    const file = join(folder, 'backup.gz')
    const { written, figures, backup } = await backedUp({ data, database }, file)
    const restores = []
    for (const engine of ENGINES) restores.push(await restored(engine, folder, file, postgres, written))
    const seen: Outcome['seen'] = {
      people: PEOPLE,
      tokens: written.tokens.length,
      backup_s: backup.seconds,
      backup_cpu_s: backup.cpu,
    }
    for (const { engine, seconds, cpu } of restores) {
      seen[`${engine}_s`] = seconds
      seen[`${engine}_cpu_s`] = cpu
    }
    const wrong = restores.flatMap(({ engine, wrong }) => wrong.map((sentence) => `${engine}: ${sentence}`))
    seen.wrong = wrong.join('; ')
    const times = [backup, ...restores].map(({ seconds }) => seconds)
    const wanted = {
      'everything acknowledged before the backup began is there': wrong.length === 0,
      'no request fails meanwhile': figures.failed + figures.refused === 0,
      [`at most ${MOST} s each way`]: Math.max(...times) <= MOST,
    }
    return { figures, seen, wanted }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Place = { data: string; database: Postgres | undefined }

/** Tokens that clients had received before the backup began. */
type Written = {
  installation: Installation
  /** The app with the refresh token. */
  app: App
  person: Person
  tokens: string[]
  /** When the first of them was issued, by `performance.now()`. */
  issued: number
  refresh_token: string
  sub: string | undefined
}

/** Backs a server up while it is used. */
async function backedUp(place: Place, file: string) {
  const target = await startVrata(place)
  try {
    const installation = await seedInstallation(target)
    const person = await registerWithSecondFactor(target, target.outbox, 'oseba@example.com')
    // Uses another app, because the load redeems codes twice, which ends all tokens of its app (RFC 6749 §4.1.2).
    const { rsa: other = installation } = installation
    const { form } = await requestCode(other)
    const first = form && (await requestToken(target.url, form, other.app))
    if (!first) throw new Error('The app gets no tokens')
    const { refresh_token, id_token } = first as typeof first & { id_token: string }
    const load = new Load(installation)
    const tokens: string[] = []
    const issued = performance.now()
    let began = false
    const writing = (async () => {
      while (!began) tokens.push(...(await tokenOf(installation)))
    })()
    await pause(3_000)
    began = true
    await writing
    const backup = await vrata(place, 'backup', file, '--with-secret')
    await pause(1_000)
    const figures = await load.stop()
    return {
      figures,
      backup,
      written: { installation, app: other.app, person, tokens, issued, refresh_token, sub: decodeJwt(id_token).sub },
    }
  } finally {
    await target.stop()
  }
}

/** Restores into an empty place, starts a server there, and uses what the clients had received. */
async function restored(engine: Engine, folder: string, file: string, postgres: Postgres, written: Written) {
  const data = join(folder, `restored-${engine}`)
  mkdirSync(data)
  const name = 'restored'
  if (engine === 'postgres') await onPostgres(postgres.url, `create database ${name}`)
  const database = engine === 'postgres' ? { ...postgres, url: postgres.url.replace(/[^/]*$/, name) } : undefined
  const place = { data, database }
  const { seconds, cpu } = await vrata(place, 'restore', file, '--to', engine)
  const target = await startVrata(place)
  try {
    return { engine, seconds, cpu, wrong: await use(target, written) }
  } finally {
    await target.stop()
  }
}

/** Sentences about what is not as it was. */
async function use(
  target: VrataTarget,
  { installation, app, person, tokens, issued, refresh_token, sub }: Written,
): Promise<string[]> {
  const { url } = target
  const { service } = installation
  const wrong: string[] = []
  for (const token of tokens) {
    const request = { body: `token=${token}`, type: FORM, authorization: basic(service) }
    const { body } = await new Browser(url).request('POST', '/introspect', request)
    if (!body.startsWith('{"active":true')) wrong.push(`a token is not active: ${body}`)
  }
  const age = (performance.now() - issued) / 1000
  if (age > LIFETIMES.access_token)
    wrong.splice(0, wrong.length, `the tokens are ${Math.round(age)} s old and have expired`)
  const session = await sessionAt({ url }, person.cookies)
  if (session !== 'valid') wrong.push(`a session: ${session}`)
  const code = await sendCode({ url }, await halfSignedIn({ url }, person), { otp_token: person.code() })
  if (code !== 'done') wrong.push(`a sign-in with a code: ${code}`)
  const renewed = await requestToken(url, { grant_type: 'refresh_token', refresh_token }, app, ({ body }) =>
    wrong.push(`a refresh: ${body}`),
  )
  const subject = renewed && decodeJwt((renewed as typeof renewed & { id_token: string }).id_token).sub
  if (!subject || subject !== sub) wrong.push(`the subject after a refresh: ${subject} instead of ${sub}`)
  return wrong
}

async function tokenOf({ url, service }: Installation): Promise<string[]> {
  const tokens = await requestToken(url, { grant_type: 'client_credentials' }, service)
  return tokens ? [tokens.access_token] : []
}

/** Runs a command; resolves with the seconds that it took, and those of CPU time of its process. */
async function vrata({ data, database }: Place, ...words: string[]): Promise<{ seconds: number; cpu: number }> {
  const env = {
    ...process.env,
    ...PASSPHRASE,
    VRATA_DATA_DIR: data,
    ...(database ? { VRATA_DATABASE_URL: database.url } : {}),
  }
  const began = performance.now()
  // `times` prints what the shell and its children have used, user and system (POSIX).
  const { stdout } = await run('sh', ['-c', '"$@" >&2 || exit; times', 'sh', process.execPath, SERVER, ...words], {
    env,
  })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const parts = [...(stdout.trimEnd().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const cpu = parts.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  return { seconds, cpu: Math.round(cpu * 10) / 10 }
}
