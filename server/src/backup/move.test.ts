import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { account, security, signIn } from '@vrata/contract'
import { decodeProtectedHeader } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { authenticator } from '../../test/authenticator.ts'
import { emptyDatabase, testEngine } from '../../test/databases/template-db.ts'
import { createOrganization } from '../../test/organization.ts'
import { fileOf, halves, noise } from '../../test/pictures.ts'
import { settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { type RegisteredUser, registerConfirmedUser, signInAgain, tabOf } from '../../test/registered-user.ts'
import { good, withSecondFactor } from '../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../test/test-server.ts'
import { allow, post, refresh, signInTo, userinfo } from '../../test/third-party.ts'
import { checkSecret } from '../main.ts'

const PASSPHRASE = { VRATA_BACKUP_PASSPHRASE: 'seven doors and no key' }

/** The places to which the installation moves, one after the other. */
const ENGINES = testEngine === 'postgres' ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

async function start(): Promise<TestServer> {
  const server = await startTestServer({ VRATA_SECRET: '' })
  onTestFinished(() => server.close())
  await checkSecret(server.deps, server.store)
  return server
}

/** Starts a server on the restored installation, at the same time as the first one. */
async function startRestored(first: TestServer, settings: Record<string, string>): Promise<TestServer> {
  const node = await first.secondNode(settings)
  onTestFinished(() => node.close())
  await checkSecret(node.deps, node.store)
  node.clock.advance((first.clock.now().getTime() - node.clock.now().getTime()) / 1000)
  return node
}

async function withPicture(person: Caller, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const { profile_picture } = good(await person.call(account.setProfilePicture, { profile_picture: fileOf(bytes) }))
  return profile_picture as string
}

async function pictureAt(server: TestServer, file: string): Promise<Buffer> {
  const answer = await server.browser().request({ method: 'GET', url: `/v1/media/${file}`, headers: { origin: '' } })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

/** Uses the server until it is told to stop: people register, tokens are rotated, pictures are replaced. */
function use(server: TestServer, bor: RegisteredUser, busy: () => Promise<void>) {
  let stopped = false
  let rounds = 0
  const work = (async () => {
    for (; !stopped; rounds += 1) {
      await registerConfirmedUser(server)
      await busy()
      // A busy machine may refuse one.
      if (rounds % 5 === 0) await bor.call(account.setProfilePicture, { profile_picture: fileOf(await noise()) })
    }
  })()
  return async () => {
    stopped = true
    await work
    return rounds
  }
}

test('an installation that is backed up under load continues on another database: people, passkeys, second factors, pictures, apps and tokens', async () => {
  const server = await start()
  const ana = await registerConfirmedUser(server)
  const picture = await withPicture(ana, await halves('png'))
  const { phone, codes } = await withSecondFactor(server, ana)
  const cvetka = await registerConfirmedUser(server)
  const key = authenticator()
  const options = good(await cvetka.call(security.passkeyOptions))
  good(await cvetka.call(security.addPasskey, { name: 'Telefon', response: key.create(options) }))
  const app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  const tokens = await signInTo(server, ana, app)
  const bor = await registerConfirmedUser(server)
  await allow(bor, app)
  let busy = (await signInTo(server, bor, app)).refresh_token

  const stop = use(server, bor, async () => {
    busy = (await refresh(server, app, busy)).json().refresh_token
  })
  const folder = server.config.data_dir
  const file = join(folder, 'backup.gz')
  const source = settingsOf({ url: server.config.database_url, dataDir: folder })
  const made = await vrata({ ...source, ...PASSPHRASE }, 'backup', file, '--with-secret', '--json')
  expect(made.stderr).toBe('')
  expect(await stop()).toBeGreaterThan(0)
  const { missing, others } = JSON.parse(made.stdout)
  expect(others).toEqual([])
  // A picture that is replaced in the moment between the state of the database and its copy is gone, and named.
  const replaced = await server.store.read
    .selectFrom('pictures')
    .select('file')
    .where('dropped_at', 'is not', null)
    .execute()
  const gone = missing.map((name: string) => name.replace(/^media\/|-\d+(?=\.webp$)/g, ''))
  expect(replaced.map(({ file }) => file)).toEqual(expect.arrayContaining(gone))
  expect(statSync(file).mode & 0o777).toBe(0o600)

  let next = file
  for (const engine of ENGINES) {
    const place = await emptyDatabase(engine)
    onTestFinished(() => place.remove())
    const target = settingsOf(place)
    const restored = await vrata({ ...target, ...PASSPHRASE }, 'restore', next, '--to', engine)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.stdout).toContain('every row and every file was compared')
    expect(readFileSync(join(place.dataDir, 'secret'))).toEqual(readFileSync(join(folder, 'secret')))
    // The next place gets a backup of this one, before it is used.
    if (engine !== ENGINES.at(-1)) {
      next = join(place.dataDir, 'next.gz')
      expect(await vrata({ ...target, ...PASSPHRASE }, 'backup', next, '--with-secret')).toMatchObject({ code: 0 })
    }
    const node = await startRestored(server, target)

    const anasTab = tabOf(node, ana)
    expect(good(await anasTab.call(account.getAccount)).profile_picture).toBe(picture)
    expect(await pictureAt(node, picture)).toEqual(await pictureAt(server, picture))
    const otp_token = phone.code()
    node.clock.advance(30)
    for (const factor of [{ otp_token }, { recovery_code: codes.pop() as string }]) {
      const browser = node.browser()
      good(await browser.call(signIn.login, { username: ana.email, password: ana.password }))
      expect(await browser.call(signIn.loginOtp, factor)).toMatchObject({ ok: true })
    }
    const browser = node.browser()
    const challenge = good(await browser.call(signIn.passkeyLoginOptions))
    expect(await browser.call(signIn.passkeyLogin, { response: key.get(challenge) })).toMatchObject({ ok: true })
    const bors = good(await (await signInAgain(node, bor)).call(account.getAccount)).profile_picture
    if (bors && !gone.includes(bors)) await pictureAt(node, bors)

    expect((await userinfo(node, tokens.access_token)).json()).toMatchObject({ sub: ana.user.id })
    expect((await post(node, app, '/introspect', { token: tokens.refresh_token })).json()).toMatchObject({
      active: true,
    })
    const fresh = await refresh(node, app, tokens.refresh_token)
    expect(fresh.statusCode).toBe(200)
    expect(decodeProtectedHeader(fresh.json().id_token).kid).toBe(decodeProtectedHeader(tokens.id_token).kid)
    expect((await signInTo(node, anasTab as never, app)).access_token).toBeTruthy()
  }
  // The first installation has noticed nothing.
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
})
