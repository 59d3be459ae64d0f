import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { account, activity, auth, LIMITS, privacy, security } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { authenticator } from '../../../test/authenticator.ts'
import { type House, openHouse } from '../../../test/house.ts'
import { lettersTo, type Newcomer, newcomer } from '../../../test/newcomer.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { record } from '../activity/door.ts'
import { pruneArchives } from './door.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

const DAY = 24 * 60 * 60

/** Asks, waits until it is made, and answers its id. */
async function archiveOf(person: Newcomer, parts?: privacy.ArchivePart[]): Promise<string> {
  const asked = await person.call(privacy.requestData, parts ? { parts } : {})
  if (!asked.ok) throw new Error(`refused: ${asked.problem.code}`)
  await house.outbox()
  return asked.data.id
}

function download(person: Pick<Newcomer, 'request'>, id: string) {
  return person.request({ method: 'GET', url: `/v1/account/data-request/${id}/download` })
}

/** What a ZIP program finds in it: name → text. */
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

async function comeBack(person: Newcomer): Promise<void> {
  await person.call(auth.login, { username: person.email, password: person.password })
}

describe('§3 asking for an archive', () => {
  test('a mail tells when it is ready, and a ZIP program opens it', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { first_name: '<b>Ana</b>', last_name: 'Kovač', language: ['sl-SI'] })
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    const asked = await ana.call(privacy.requestData, {})
    expect(asked).toMatchObject({
      http: 201,
      data: { state: 'queued', parts: privacy.ARCHIVE_PARTS, ready_until: null },
    })
    const id = asked.ok ? asked.data.id : ''

    const letter = (await lettersTo(house, ana.email)).at(-1)
    expect(letter).toMatchObject({
      subject: 'Vaš arhiv je pripravljen',
      link: 'http://localhost:3000/privacy/request-data',
    })
    const until = new Date(house.clock.now().getTime() + 7 * DAY * 1000).toISOString()
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

  test('its page is readable in the language of the account, and runs nothing', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { first_name: '<script>alert(1)</script>', language: ['hr-HR'] })
    const page = (await unzipped((await download(ana, await archiveOf(ana))).rawPayload)).get('index.html') ?? ''
    expect(page).toContain('Vaši podaci')
    expect(page).toContain('&#60;script&#62;')
    expect(page).not.toMatch(/<script|archive\.(field|part)\.|undefined|\[object/)
  })

  test('it tells of the second factor and of passkeys, in words of the account, never their secrets', async () => {
    const ana = await newcomer(house)
    await ana.call(account.updateAccount, { language: ['sl-SI'] })
    const { phone, codes } = await withSecondFactor(house, ana)
    const since = house.clock.now().toISOString()
    const key = authenticator()
    const response = key.create(good(await ana.call(security.passkeyOptions)))
    good(await ana.call(security.addPasskey, { name: 'Telefon', response }))

    const files = await unzipped((await download(ana, await archiveOf(ana, ['security']))).rawPayload)
    expect(JSON.parse(files.get('security.json') ?? '')).toEqual([
      { kind: 'two_factor', name: null, created_at: since, last_used_at: null, recovery_codes_left: 10 },
      { kind: 'passkey', name: 'Telefon', created_at: since, last_used_at: null, recovery_codes_left: null },
    ])
    const page = files.get('index.html') ?? ''
    expect(page).toContain('<td>Prijava v dveh korakih</td>')
    expect(page).toContain('<th scope="col">Preostale rezervne kode</th>')
    expect(page).not.toMatch(/archive\.|two_factor/)
    const kept = await house.store.db.selectFrom('passkeys').selectAll().where('user_id', '=', ana.user.id).execute()
    const secrets = [phone.secret, ...codes, key.id, ...kept.map(({ public_key }) => public_key)]
    for (const text of files.values()) for (const secret of secrets) expect(text).not.toContain(secret)
  })

  test('it holds no password, no token, nothing of anybody else', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const files = await unzipped((await download(ana, await archiveOf(ana))).rawPayload)
    const all = [...files.values()].join('\n')
    expect(all).not.toMatch(/password_hash|token_hash|access_hash|\$argon2/)
    expect(all).not.toContain(bor.email)
  })

  test('only the parts that were chosen', async () => {
    const ana = await newcomer(house)
    const files = await unzipped((await download(ana, await archiveOf(ana, ['activity', 'activity']))).rawPayload)
    expect([...files.keys()]).toEqual(['activity.json', 'index.html'])
  })

  test('thousands of rows are all in the file, and some of them on the page', async () => {
    const ana = await newcomer(house)
    await house.deps.transaction(async (deps) => {
      const happening = { type: 'CHANGED_EMAIL', user_id: ana.user.id, from: null, session_id: null } as const
      for (let i = 0; i < 1200; i += 1) await record(deps, happening)
    })
    const files = await unzipped((await download(ana, await archiveOf(ana, ['activity']))).rawPayload)
    const ids = (JSON.parse(files.get('activity.json') ?? '') as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    expect(ids).toHaveLength(1202)
    expect(files.get('index.html')?.match(/<tr>/g)).toHaveLength(501)
    expect(files.get('index.html')).toContain('1,202 entries')
  })

  test('is noted in the activity', async () => {
    const ana = await newcomer(house)
    await archiveOf(ana)
    expect(await ana.call(activity.listActivity, { type: 'REQUESTED_DATA' })).toMatchObject({ data: [{}] })
  })
})

describe('an archive', () => {
  test('is found by nobody else, and by nobody without a session', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const id = await archiveOf(ana)
    expect((await download(bor, id)).json()).toMatchObject({ error: { code: 'not_found' } })
    expect((await download(house.visitor(), id)).statusCode).toBe(401)
    expect((await download(ana, 'nothing')).statusCode).toBe(404)
    expect(await bor.call(privacy.listDataRequests)).toMatchObject({ data: [] })
  })

  test('is fetched by somebody who has just proved who they are', async () => {
    const ana = await newcomer(house)
    const id = await archiveOf(ana)
    house.clock.advance(601)
    await ana.call(auth.refresh, {})
    expect((await download(ana, id)).json()).toMatchObject({ error: { code: 'reauthentication_required' } })
    await comeBack(ana)
    expect((await download(ana, id)).statusCode).toBe(200)
  })

  test('is gone after seven days, and so is its file', async () => {
    const ana = await newcomer(house)
    const id = await archiveOf(ana)
    house.clock.advance(7 * DAY)
    await comeBack(ana)
    expect((await download(ana, id)).statusCode).toBe(404)
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{ state: 'expired', ready_until: null }] })
    await pruneArchives(house.deps, 500)
    expect(await readdir(`${house.config.data_dir}/archives`)).toEqual([])
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{ state: 'expired' }] })
    house.clock.advance(31 * DAY)
    await pruneArchives(house.deps, 500)
    await comeBack(ana)
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [] })
  })

  test('that cannot be made fails visibly, leaves no file, and another may be asked for', async () => {
    const ana = await newcomer(house)
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    const { data: me } = (await ana.call(account.getAccount)) as { data: account.UserInfo }
    const file = `${house.config.data_dir}/media/${me.profile_picture?.replace('.webp', '-512.webp')}`
    await rm(file)
    // A folder where a file should be: opened, it cannot be read.
    await mkdir(file)
    await ana.call(privacy.requestData, { parts: ['account'] })
    for (let tries = 0; tries < 5; tries += 1) {
      await house.outbox()
      house.clock.advance(60)
    }
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{ state: 'failed', ready_until: null }] })
    expect(await readdir(`${house.config.data_dir}/archives`)).toEqual([])
    await rm(file, { recursive: true })
    await writeFile(file, 'a picture')
    expect(await ana.call(privacy.requestData, { parts: ['account'] })).toMatchObject({ ok: true })
  })
})

describe('§3 refuses', () => {
  test('a second one while one is being made, however fast', async () => {
    const ana = await newcomer(house)
    const answers = await Promise.all([1, 2, 3].map(() => ana.call(privacy.requestData, {})))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    for (const answer of answers)
      if (!answer.ok) expect(answer).toMatchObject({ problem: { code: 'data_request_running' } })
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [{}] })
  })

  test('a fourth one within a day', async () => {
    const ana = await newcomer(house)
    for (let asked = 0; asked < LIMITS.data_requests_per_day; asked += 1) await archiveOf(ana, ['account'])
    expect(await ana.call(privacy.requestData, {})).toMatchObject({ http: 429, retry_after: DAY })
    house.clock.advance(DAY)
    await comeBack(ana)
    expect(await ana.call(privacy.requestData, {})).toMatchObject({ ok: true })
  })

  test('parts that there are not, none, and strangers', async () => {
    const ana = await newcomer(house)
    const answers = [
      await ana.call(privacy.requestData, { parts: ['secrets' as never] }),
      await ana.call(privacy.requestData, { parts: [] }),
      await ana.call(privacy.requestData, { everybody: true } as never),
      await house.visitor().call(privacy.requestData, {}),
    ]
    expect(answers.map(({ http }) => http)).toEqual([400, 400, 400, 401])
    expect(await ana.call(privacy.listDataRequests)).toMatchObject({ data: [] })
  })
})
