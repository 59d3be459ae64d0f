import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { account, activity, LIMITS, privacy, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { authenticator } from '../../../test/authenticator.ts'
import { addSessions } from '../../../test/many-users.ts'
import { createOrganization } from '../../../test/organization.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { mailsTo, type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { beforeTransaction, startTestServer, type TestServer } from '../../../test/test-server.ts'
import type { Job } from '../../adapters/jobs/jobs.ts'
import { ARCHIVE_PARTS } from '../../archive-parts.ts'
import type { AppDeps } from '../../deps.ts'
import { batches } from '../../lib/batches.ts'
import { newId } from '../../lib/ids.ts'
import { recordActivity } from '../activity/public.ts'
import { archiveJob, deleteDueAccounts, pruneArchives } from './public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const DAY = 24 * 60 * 60

test('an account that is deleted while it asks for an archive gets none', async () => {
  const person = await registerConfirmedUser(server)
  beforeTransaction(server, () => server.store.db.deleteFrom('users').where('id', '=', person.user.id).execute())
  expect(await person.call(privacy.requestData, {})).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
})

/** Requests an archive, waits until it is ready, and returns its id. */
async function archiveOf(person: RegisteredUser, parts?: privacy.ArchivePart[]): Promise<string> {
  const asked = await person.call(privacy.requestData, parts ? { parts } : {})
  if (!asked.ok) throw new Error(`rejected: ${asked.problem.code}`)
  await server.outbox()
  return asked.data.id
}

function download(person: Pick<RegisteredUser, 'request'>, id: string) {
  return person.request({ method: 'GET', url: `/v1/account/data-request/${id}/download` })
}

/** Contents of the ZIP: name → text. */
async function unzipped(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, file) => (file ? resolve(file) : reject(error))),
  )
  const files = new Map<string, string>()
  return await new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry: yauzl.Entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (!stream) return reject(error)
        const bytes = await buffer(stream)
        files.set(entry.fileName, bytes.toString(entry.fileName.endsWith('.webp') ? 'latin1' : 'utf8'))
        zip.readEntry()
      }),
    )
    zip.readEntry()
  })
}

async function comeBack(person: RegisteredUser): Promise<void> {
  await person.call(signIn.login, { username: person.email, password: person.password })
}

describe('requesting an archive (api §3.9)', () => {
  test('mails when it is ready, and is a valid ZIP', async () => {
    const ana = await registerConfirmedUser(server)
    await ana.call(account.updateAccount, { first_name: '<b>Ana</b>', last_name: 'Kovač', language: ['sl-SI'] })
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    const asked = await ana.call(privacy.requestData, {})
    expect(asked).toMatchObject({
      http: 201,
      data: { state: 'queued', parts: privacy.ARCHIVE_PARTS, ready_until: null },
    })
    const id = asked.ok ? asked.data.id : ''

    const letter = (await mailsTo(server, ana.email)).at(-1)
    expect(letter).toMatchObject({
      subject: 'Vaš arhiv je pripravljen',
      link: 'http://localhost:3000/privacy/request-data',
    })
    const until = new Date(server.clock.now().getTime() + 7 * DAY * 1000).toISOString()
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({
      data: [{ id, state: 'ready', ready_until: until }],
    })

    const answer = await download(ana, id)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="vrata-2026-11-21.zip"',
      'cross-origin-resource-policy': 'same-origin',
      'content-length': String(answer.rawPayload.length),
    })
    const files = await unzipped(answer.rawPayload)
    expect([...files.keys()].sort()).toEqual([
      'account.json',
      'activity.json',
      'connections.json',
      'index.html',
      'organizations.json',
      'pictures/profile.webp',
      'security.json',
      'sessions.json',
    ])
    expect(JSON.parse(files.get('account.json') ?? '')).toMatchObject([{ email: ana.email, language: ['sl-SI'] }])
    expect(JSON.parse(files.get('sessions.json') ?? '')).toMatchObject([{ browser: 'Firefox', methods: ['pwd'] }])
    expect(JSON.parse(files.get('connections.json') ?? '')).toEqual([])
    expect(files.get('pictures/profile.webp')).toMatch(/^RIFF[\s\S]{4}WEBP/)
  })

  test('has all sessions, however many there are', async () => {
    const ana = await registerConfirmedUser(server)
    await addSessions(server, { like: ana, count: 1200 })
    const files = await unzipped((await download(ana, await archiveOf(ana, ['sessions']))).rawPayload)
    const listed: { id: string }[] = JSON.parse(files.get('sessions.json') ?? '')
    expect(new Set(listed.map(({ id }) => id)).size).toBe(1201)
    expect(listed).toHaveLength(1201)
  })

  test('has an index page in the language of the account, without script', async () => {
    const ana = await registerConfirmedUser(server)
    await ana.call(account.updateAccount, { first_name: '<script>alert(1)</script>', language: ['hr-HR'] })
    await createOrganization(server, ana)
    const accepted = { user_id: ana.user.id, version: '2', accepted_at: server.clock.now().toISOString() }
    await server.store.db.insertInto('accepted_terms').values(accepted).execute()
    const page = (await unzipped((await download(ana, await archiveOf(ana))).rawPayload)).get('index.html') ?? ''
    expect(page).toContain('Vaši podaci')
    expect(page).toContain('&lt;script&gt;')
    expect(page).toContain('<td>Prihvaćeni uvjeti korištenja</td>')
    expect(page).not.toMatch(/<script|archive\.(field|kind|part)\.|undefined|\[object/)
  })

  test('has an index page that says values as the pages do', async () => {
    const ana = await registerConfirmedUser(server)
    await ana.call(account.updateAccount, {
      language: ['sl-SI'],
      country_code: 'SI',
      birth_date: '2000-02-29',
      gender: 'female',
    })
    await createOrganization(server, ana)
    const page = (await unzipped((await download(ana, await archiveOf(ana))).rawPayload)).get('index.html') ?? ''
    for (const value of [
      '<dt>Prikaz na strani za prijavo</dt><dd>da</dd>',
      '<dt>Država</dt><dd>Slovenija</dd>',
      '<dt>Jeziki</dt><dd>Slovenščina (Slovenija)</dd>',
      '<dd>29. februarja 2000</dd>',
      '<td>Zahtevana kopija podatkov računa</td>',
      '<dd>Lastnik</dd>',
    ])
      expect(page).toContain(value)
    expect(page).toMatch(/<dd>\d+\. \p{L}+ 20\d\d ob \d+:\d\d UTC<\/dd>/u)
    expect(page).not.toMatch(/CREATED_ACCOUNT|user\.registered|<td>pwd|female/)
  })

  test('shows a name that is written like a time as it is', async () => {
    const ana = await registerConfirmedUser(server)
    const first_name = '2026-99-99T99:99Z'
    good(await ana.call(account.updateAccount, { first_name, last_name: '2026-01-02T03:04Z' }))
    await createOrganization(server, ana, first_name)
    const page = (await unzipped((await download(ana, await archiveOf(ana))).rawPayload)).get('index.html') ?? ''
    expect(page.split(`<dd>${first_name}</dd>`)).toHaveLength(3)
    expect(page).toContain('<dd>2026-01-02T03:04Z</dd>')
  })

  test('contains second factor and passkeys, without secrets', async () => {
    const ana = await registerConfirmedUser(server)
    await ana.call(account.updateAccount, { language: ['sl-SI'] })
    const { phone, codes } = await withSecondFactor(server, ana)
    const since = server.clock.now().toISOString()
    const key = authenticator()
    const response = key.create(good(await ana.call(security.passkeyOptions)))
    good(await ana.call(security.addPasskey, { name: 'Telefon', response }))

    const files = await unzipped((await download(ana, await archiveOf(ana, ['security']))).rawPayload)
    const rows = JSON.parse(files.get('security.json') ?? '') as { kind: string; name: string }[]
    expect(rows.filter(({ kind }) => kind !== 'event')).toEqual([
      { kind: 'two_factor', name: null, created_at: since, last_used_at: null, recovery_codes_left: 10 },
      { kind: 'passkey', name: 'Telefon', created_at: since, last_used_at: null, recovery_codes_left: null },
    ])
    // Events of the audit log about Ana, without their actor.
    expect(rows.flatMap(({ kind, name }) => (kind === 'event' ? [name] : []))).toEqual([
      'user.registered',
      'user.second_factor_added',
      'user.passkey_added',
      'user.data_requested',
    ])
    const page = files.get('index.html') ?? ''
    expect(page).toContain('<td>Prijava v dveh korakih</td>')
    expect(page).toContain('<th scope="col">Preostale rezervne kode</th>')
    expect(page).not.toMatch(/archive\.|two_factor/)
    const kept = await server.store.db.selectFrom('passkeys').selectAll().where('user_id', '=', ana.user.id).execute()
    const secrets = [phone.secret, ...codes, key.id, ...kept.map(({ public_key }) => public_key)]
    for (const text of files.values()) for (const secret of secrets) expect(text).not.toContain(secret)
  })

  test('contains no password, no token and no data of other users', async () => {
    const ana = await registerConfirmedUser(server)
    const bor = await registerConfirmedUser(server)
    const files = await unzipped((await download(ana, await archiveOf(ana))).rawPayload)
    const all = [...files.values()].join('\n')
    expect(all).not.toMatch(/password_hash|token_hash|access_hash|\$argon2/)
    expect(all).not.toContain(bor.email)
  })

  test('contains the chosen parts only', async () => {
    const ana = await registerConfirmedUser(server)
    const files = await unzipped((await download(ana, await archiveOf(ana, ['activity', 'activity']))).rawPayload)
    expect([...files.keys()]).toEqual(['activity.json', 'index.html'])
  })

  test('has all of thousands of rows in the file and the first ones on the page', async () => {
    const ana = await registerConfirmedUser(server)
    const happening = { type: 'CHANGED_EMAIL', user_id: ana.user.id, from: null, session_id: null } as const
    await server.deps.transaction((deps) => recordActivity(deps, happening))
    const { db } = server.store
    const own = db.selectFrom('activities').selectAll().where('user_id', '=', ana.user.id)
    const row = await own.where('type', '=', 'CHANGED_EMAIL').executeTakeFirstOrThrow()
    const others = Array.from({ length: 1199 }, () => ({ ...row, id: newId(server.clock) }))
    for (const some of batches(others)) await db.insertInto('activities').values(some).execute()
    const files = await unzipped((await download(ana, await archiveOf(ana, ['activity']))).rawPayload)
    const ids = (JSON.parse(files.get('activity.json') ?? '') as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(ids).toHaveLength(1202)
    expect(files.get('index.html')?.match(/<tr>/g)).toHaveLength(501)
    expect(files.get('index.html')).toContain('1,202 entries')
  })

  test('is recorded in the activity', async () => {
    const ana = await registerConfirmedUser(server)
    await archiveOf(ana)
    expect(await ana.call(activity.listActivity, { type: 'REQUESTED_DATA' })).toMatchObject({ data: [{}] })
  })
})

describe('an archive', () => {
  test('is not found by other users or without a session', async () => {
    const ana = await registerConfirmedUser(server)
    const bor = await registerConfirmedUser(server)
    const id = await archiveOf(ana)
    expect((await download(bor, id)).json()).toMatchObject({ error: { code: 'not_found' } })
    expect((await download(server.browser(), id)).statusCode).toBe(401)
    expect((await download(ana, 'nothing')).statusCode).toBe(404)
    expect(await bor.call(privacy.listDataRequests)).toMatchObject({ data: [] })
  })

  test('requires a fresh sign-in', async () => {
    const ana = await registerConfirmedUser(server)
    const id = await archiveOf(ana)
    server.clock.advance(601)
    await ana.call(sessions.refresh, {})
    expect((await download(ana, id)).json()).toMatchObject({ error: { code: 'reauthentication_required' } })
    await comeBack(ana)
    expect((await download(ana, id)).statusCode).toBe(200)
  })

  test('expires with its file after seven days', async () => {
    const ana = await registerConfirmedUser(server)
    const id = await archiveOf(ana)
    server.clock.advance(7 * DAY)
    await comeBack(ana)
    expect((await download(ana, id)).statusCode).toBe(404)
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{ state: 'expired', ready_until: null }] })
    await pruneArchives(server.deps, 500)
    expect(await readdir(`${server.config.data_dir}/archives`)).toEqual([])
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{ state: 'expired' }] })
    server.clock.advance(31 * DAY)
    await pruneArchives(server.deps, 500)
    await comeBack(ana)
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [] })
  })

  test('whose file cannot be read is refused as every call is, and not saved as a file', async () => {
    const ana = await registerConfirmedUser(server)
    const id = await archiveOf(ana)
    const [row] = await server.store.read.selectFrom('data_requests').select('file').where('id', '=', id).execute()
    const file = `${server.config.data_dir}/archives/${row?.file}`
    await rm(file)
    // A folder can be opened and not read.
    await mkdir(file)
    const answer = await download(ana, id)
    await rm(file, { recursive: true })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'unavailable' } })
    expect(answer.headers).not.toHaveProperty('content-disposition')
  })

  test('whose file cannot be removed does not prevent the removal of others', async () => {
    const [ana, bor] = [await registerConfirmedUser(server), await registerConfirmedUser(server)]
    const ids = [await archiveOf(ana), await archiveOf(bor)]
    const states = async () => {
      const rows = await server.store.read.selectFrom('data_requests').selectAll().where('id', 'in', ids).execute()
      return ids.map((id) => rows.find((row) => row.id === id)?.state)
    }
    const row = await server.store.read
      .selectFrom('data_requests')
      .select('file')
      .where('id', '=', String(ids[0]))
      .executeTakeFirst()
    const file = `${server.config.data_dir}/archives/${row?.file}`
    await rm(file)
    // A folder in its place cannot be removed as a file.
    await mkdir(file)
    server.clock.advance(7 * DAY)
    await expect(pruneArchives(server.deps, 500)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await states()).toEqual(['ready', 'expired'])
    await rm(file, { recursive: true })
    await pruneArchives(server.deps, 500)
    expect(await states()).toEqual(['expired', 'expired'])
  })

  test('fails visibly, leaves no file, and can be requested again', async () => {
    const ana = await registerConfirmedUser(server)
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    const { data: me } = (await ana.call(account.getAccount)) as { data: account.UserInfo }
    const file = `${server.config.data_dir}/media/${me.profile_picture?.replace('.webp', '-512.webp')}`
    await rm(file)
    // A folder in place of the file cannot be read.
    await mkdir(file)
    await ana.call(privacy.requestData, { parts: ['account'] })
    for (let tries = 0; tries < 5; tries += 1) {
      await server.outbox()
      server.clock.advance(60)
    }
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{ state: 'failed', ready_until: null }] })
    expect(await readdir(`${server.config.data_dir}/archives`)).toEqual([])
    await rm(file, { recursive: true })
    await writeFile(file, 'a picture')
    expect(await ana.call(privacy.requestData, { parts: ['account'] })).toMatchObject({ ok: true })
  })
})

describe('an attempt to create an archive', () => {
  /** Runs the job of a new request with other adapters. Resolves with the id of the request. */
  async function attempt(
    person: RegisteredUser,
    deps: Partial<AppDeps>,
    { attempts = 1, signal = new AbortController().signal } = {},
  ): Promise<{ id: string; done: Promise<void> }> {
    const { id } = good(await person.call(privacy.requestData, { parts: ['account'] }))
    const job = { id: id as Job['id'], kind: 'archive', payload: '', attempts, created_at: '', traceparent: null }
    const work = archiveJob({ ...server.deps, ...deps }, ARCHIVE_PARTS)
    return { id, done: work({ id }, job, signal) }
  }
  const files = () => readdir(`${server.config.data_dir}/archives`)

  test('that is killed when its file is written leaves no file behind', async () => {
    const ana = await registerConfirmedUser(server)
    const written = Promise.withResolvers<string>()
    const { archives } = server.deps
    const put: typeof archives.put = async (name, content) => {
      await archives.put(name, content)
      written.resolve(name)
      return await new Promise<never>(() => {})
    }
    await attempt(ana, { archives: { ...archives, put } })
    const left = await written.promise
    await server.outbox()
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'ready' }])
    expect(await files()).not.toContain(left)
  })

  test('that is killed while its file is written leaves no part of it behind', async () => {
    const ana = await registerConfirmedUser(server)
    const begun = Promise.withResolvers<string>()
    const { archives } = server.deps
    const put: typeof archives.put = async (name) => {
      const folder = `${server.config.data_dir}/archives`
      await mkdir(folder, { recursive: true })
      await writeFile(`${folder}/${name}.part`, 'the first half of an archive')
      begun.resolve(name)
      return await new Promise<never>(() => {})
    }
    await attempt(ana, { archives: { ...archives, put } })
    const left = await begun.promise
    await server.outbox()
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'ready' }])
    expect(await files()).not.toContain(`${left}.part`)
  })

  test('that is aborted because its server ends does not count as a failure, however often that happens', async () => {
    const ana = await registerConfirmedUser(server)
    const stopping = new AbortController()
    const { archives } = server.deps
    const put: typeof archives.put = async (name, content) => {
      stopping.abort()
      return await archives.put(name, content)
    }
    const before = await files()
    const { done } = await attempt(ana, { archives: { ...archives, put } }, { attempts: 7, signal: stopping.signal })
    await expect(done).rejects.toThrow('aborted')
    expect(await files()).toEqual(before)
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'building' }])
    await server.outbox()
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'ready' }])
  })

  test('that is slower than another one leaves no file behind', async () => {
    const ana = await registerConfirmedUser(server)
    const { archives } = server.deps
    const put: typeof archives.put = async (name, content) => {
      await server.outbox()
      return await archives.put(name, content)
    }
    let transactions = 0
    const transaction: AppDeps['transaction'] = async (work) => {
      transactions += 1
      if (transactions > 1) throw new Error('the connection was closed')
      return await server.deps.transaction(work)
    }
    const before = await files()
    const { done } = await attempt(ana, { archives: { ...archives, put }, transaction })
    await expect(done).rejects.toThrow('closed')
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'ready' }])
    expect(await files()).toHaveLength(before.length + 1)
  })

  test('that ends when another one has begun does not offer the file that the other one removes', async () => {
    const ana = await registerConfirmedUser(server)
    const { archives } = server.deps
    const { put, remove } = archives
    const removed = Promise.withResolvers<void>()
    const written = Promise.withResolvers<string>()
    const putSlowly: typeof put = async (name, content) => {
      const bytes = await put(name, content)
      written.resolve(name)
      await removed.promise
      return bytes
    }
    const { done } = await attempt(ana, { archives: { ...archives, put: putSlowly } })
    const left = await written.promise
    archives.remove = async (name) => {
      await remove(name)
      if (name !== left) return
      removed.resolve()
      await done
    }
    await server.outbox()
    archives.remove = remove
    const [request] = good(await ana.call(privacy.listDataRequests))
    expect(request).toMatchObject({ state: 'ready' })
    expect((await download(ana, String(request?.id))).statusCode).toBe(200)
  })

  test('leaves no file of an account that is deleted meanwhile, also when the store of archives does not answer at once', async () => {
    const ana = await registerConfirmedUser(server)
    const { archives } = server.deps
    let written = ''
    const put: typeof archives.put = async (name, content) => {
      written = name
      const bytes = await archives.put(name, content)
      await server.store.db.deleteFrom('users').where('id', '=', ana.user.id).execute()
      return bytes
    }
    const remove = () => Promise.reject(new Error('the store of archives does not answer'))
    const { done } = await attempt(ana, { archives: { ...archives, put, remove } })
    await done.catch(() => {})
    await server.outbox()
    expect(written).not.toBe('')
    expect(await files()).not.toContain(written)
  })

  test('leaves no file of a deleted account, also when the store of archives is away for days', async () => {
    const ana = await registerConfirmedUser(server)
    const { archives } = server.deps
    const { remove } = archives
    const id = await archiveOf(ana)
    const [row] = await server.store.read.selectFrom('data_requests').select('file').where('id', '=', id).execute()
    expect(await files()).toContain(row?.file)
    archives.remove = () => Promise.reject(new Error('the store of archives does not answer'))
    good(await ana.call(privacy.deleteAccount))
    for (let day = 0; day < 18; day += 1) {
      server.clock.advance(DAY)
      await deleteDueAccounts(server.deps, 500)
      await server.outbox()
    }
    archives.remove = remove
    server.clock.advance(DAY)
    await server.outbox()
    expect(await files()).not.toContain(row?.file)
  })

  test('mails the address that the person has when the archive is ready', async () => {
    const ana = await registerConfirmedUser(server)
    const { archives } = server.deps
    const put: typeof archives.put = async (name, content) => {
      const bytes = await archives.put(name, content)
      const moved = { email: `new.${ana.email}` }
      await server.store.db.updateTable('users').set(moved).where('id', '=', ana.user.id).execute()
      return bytes
    }
    const { done } = await attempt(ana, { archives: { ...archives, put } })
    await done
    const subjects = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)
    expect(await subjects(`new.${ana.email}`)).toEqual(['Your archive is ready'])
    expect(await subjects(ana.email)).not.toContain('Your archive is ready')
  })

  test('whose last attempt has failed, because a day has passed, does not prevent another request', async () => {
    const ana = await registerConfirmedUser(server)
    const { archives } = server.deps
    const { put } = archives
    archives.put = () => Promise.reject(new Error('the store of archives does not answer'))
    good(await ana.call(privacy.requestData, { parts: ['account'] }))
    await server.outbox()
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      server.clock.advance(3 * 60 * 60)
      await server.outbox()
    }
    archives.put = put
    server.clock.advance(DAY)
    await server.outbox()
    await pruneArchives(server.deps, 500)
    await comeBack(ana)
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'failed', ready_until: null }])
    await archiveOf(ana)
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'ready' }, { state: 'failed' }])
  })

  test('that is killed when the archive is ready, before its job is marked, does not make the next one fail', async () => {
    const ana = await registerConfirmedUser(server)
    const failed = async () =>
      (await server.store.read.selectFrom('jobs').select('id').where('failed_at', 'is not', null).execute()).length
    const before = await failed()
    const { id, done } = await attempt(ana, {})
    await done
    const archive = await download(ana, id)
    const mails = await mailsTo(server, ana.email)
    expect(mails.filter(({ subject }) => subject === 'Your archive is ready')).toHaveLength(1)
    expect(await failed()).toBe(before)
    expect((await download(ana, id)).rawPayload).toEqual(archive.rawPayload)
  })

  test('keeps its file when the connection breaks after the commit', async () => {
    const ana = await registerConfirmedUser(server)
    let transactions = 0
    const transaction: AppDeps['transaction'] = async (work) => {
      const value = await server.deps.transaction(work)
      transactions += 1
      if (transactions === 2) throw new Error('the connection was closed')
      return value
    }
    const { id, done } = await attempt(ana, { transaction })
    await done
    expect(good(await ana.call(privacy.listDataRequests))).toMatchObject([{ state: 'ready' }])
    expect((await download(ana, id)).statusCode).toBe(200)
  })
})

test('all archives that can be downloaded are listed', async () => {
  const ana = await registerConfirmedUser(server)
  const id = await archiveOf(ana, ['account'])
  const row = await server.store.read
    .selectFrom('data_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: 7 * LIMITS.data_requests_per_day - 1 }, (_, n) => ({ ...row, id: `${id}-${n}` }))
  await server.store.db.insertInto('data_requests').values(others).execute()
  expect(good(await ana.call(privacy.listDataRequests))).toHaveLength(7 * LIMITS.data_requests_per_day)
})

describe('rejects', () => {
  test('a second request while one is in progress', async () => {
    const ana = await registerConfirmedUser(server)
    const answers = await Promise.all([1, 2, 3].map(() => ana.call(privacy.requestData, {})))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    for (const answer of answers)
      if (!answer.ok) expect(answer).toMatchObject({ problem: { code: 'data_request_running' } })
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{}] })
  })

  test('a fourth request within a day', async () => {
    const ana = await registerConfirmedUser(server)
    for (let asked = 0; asked < LIMITS.data_requests_per_day; asked += 1) await archiveOf(ana, ['account'])
    expect(await ana.call(privacy.requestData, {})).toMatchObject({ http: 429, retry_after: DAY })
    server.clock.advance(DAY)
    await comeBack(ana)
    expect(await ana.call(privacy.requestData, {})).toMatchObject({ ok: true })
  })

  test('unknown parts, no parts, and requests without a session', async () => {
    const ana = await registerConfirmedUser(server)
    const answers = [
      await ana.call(privacy.requestData, { parts: ['secrets' as never] }),
      await ana.call(privacy.requestData, { parts: [] }),
      await ana.call(privacy.requestData, { everybody: true } as never),
      await server.browser().call(privacy.requestData, {}),
    ]
    expect(answers.map(({ http }) => http)).toEqual([400, 400, 400, 401])
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [] })
  })
})
