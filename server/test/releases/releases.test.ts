import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { account, connections, signIn } from '@vrata/contract'
import { Secret, TOTP } from 'otpauth'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase } from '../databases/template-db.ts'
import { people } from '../people.ts'
import { settingsOf, vrata } from '../processes/vrata-command.ts'
import { good } from '../second-factor.ts'
import { startTestServer } from '../test-server.ts'
import { refresh, signInTo, type ThirdParty, userinfo } from '../third-party.ts'

/** Files that a release leaves beside its backup. */
type Left = {
  made_at: string
  secret: string
  otp_secret: string
  recovery_code: string
  app: ThirdParty
  refresh_token: string
  used_refresh_token: string
}

const { ana, bor, cvetka } = people

afterEach(() => void vi.useRealTimers())

test.each(globSync('*.backup', { cwd: import.meta.dirname }))('%s is restored, upgraded and goes on', async (file) => {
  const backup = join(import.meta.dirname, file)
  const left: Left = JSON.parse(readFileSync(backup.replace(/backup$/, 'json'), 'utf8'))
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const settings = { ...settingsOf(place), VRATA_SECRET: left.secret }
  const restored = await vrata(settings, 'restore', backup)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('The database was upgraded')

  // Tokens of the release have not expired at its time.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(left.made_at) })
  const first = await startTestServer({ VRATA_SECRET: left.secret })
  onTestFinished(() => first.close())
  const server = await first.secondNode(settings)
  onTestFinished(() => server.close())

  const browser = server.browser()
  expect(good(await browser.call(signIn.login, { username: ana.email, password: ana.password })).next).toBe('otp')
  server.clock.advance(60)
  const otp_token = TOTP.generate({
    secret: Secret.fromBase32(left.otp_secret),
    timestamp: server.clock.now().getTime(),
  })
  expect(await browser.call(signIn.loginOtp, { otp_token })).toMatchObject({ ok: true })
  const other = server.browser()
  good(await other.call(signIn.login, { username: ana.email, password: ana.password }))
  expect(await other.call(signIn.loginOtp, { recovery_code: left.recovery_code })).toMatchObject({ ok: true })

  const owner = server.browser()
  good(await owner.call(signIn.login, { username: bor.email, password: bor.password }))
  const { profile_picture } = good(await owner.call(account.getAccount))
  const picture = await owner.request({ method: 'GET', url: `/v1/media/${profile_picture}`, headers: { origin: '' } })
  expect(picture.statusCode).toBe(200)

  const tokens = (await refresh(server, left.app, left.refresh_token)).json()
  expect((await userinfo(server, tokens.access_token)).json()).toMatchObject({ email: cvetka.email })
  const visitor = server.browser()
  const { user } = good(await visitor.call(signIn.login, { username: cvetka.email, password: cvetka.password })) as {
    user: account.UserInfo
  }
  // Consent still holds: the person is not asked again.
  await signInTo(server, { ...visitor, user }, left.app)
  expect(good(await visitor.call(connections.listConnections))).toMatchObject([
    { client: { client_id: left.app.client_id } },
  ])

  // The second use of a token from before ends what came of it.
  expect((await refresh(server, left.app, left.used_refresh_token)).statusCode).toBe(400)
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
})
