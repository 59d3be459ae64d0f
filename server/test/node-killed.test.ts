import { type Answer, account, security, signIn } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { apiClient, type Cookies } from '../../testing/api-client.ts'
import { testEngine } from './databases/template-db.ts'
import { startServerProcess } from './processes/server-process.ts'
import { registerConfirmedUser, registerUser, tabOf } from './registered-user.ts'
import { good, totp } from './second-factor.ts'
import { connectSocket } from './sockets.ts'
import { startTestServer } from './test-server.ts'

/** Wrong passwords that cost an account nothing; the next attempt must wait (security §6.1.1). */
const FREE_FAILURES = 10

const outcomeOf = (answer: Answer<unknown>) => (answer.ok ? 'ok' : answer.problem.code)

test.skipIf(testEngine === 'sqlite')(
  'what a server wrote before it was killed holds at the other one: session, used code, counted password, event (security §20.13)',
  async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    // The other one has the clock of the machine.
    const setClock = () => server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000)
    const { database_url = '', secret, url: origin } = server.config
    const other = await startServerProcess({
      VRATA_DATABASE_URL: database_url,
      VRATA_SECRET: secret,
      VRATA_URL: origin,
    })
    setClock()
    const at = (cookies?: Cookies) =>
      apiClient({ url: `http://localhost:${other.port}`, origin, ...(cookies && { cookies }) })

    const ana = await registerConfirmedUser(server)
    const otp = good(await ana.call(security.enableOtp))
    const code = (steps: number) => totp(otp.secret, server.clock.now().getTime() + steps * 30_000)
    // The code of the former time step, so that the current one is still unused.
    good(await ana.call(security.confirmOtp, { otp_token: code(-1) }))
    const bor = await registerUser(server)

    const { username, password, wrong } = { username: ana.email, password: ana.password, wrong: 'napacno geslo' }
    const [session, pending]: [Cookies, Cookies] = [new Map(), new Map()]
    for (const cookies of [session, pending]) good(await at(cookies)(signIn.login, { username, password }))
    setClock()
    const used = code(0)
    expect(outcomeOf(await at(session)(signIn.loginOtp, { otp_token: used }))).toBe('ok')
    for (let guess = 1; guess < FREE_FAILURES; guess += 1)
      expect(outcomeOf(await at()(signIn.login, { username: bor.email, password: wrong }))).toBe('invalid_credentials')
    const page = await connectSocket(server, ana)
    good(await at(session)(account.updateAccount, { first_name: 'Ana' }))
    await page.receives('account:updated')

    other.kill('SIGKILL')
    await other.exit
    setClock()
    const here = (cookies: Cookies) => tabOf(server, { ...ana, cookies })
    expect(good(await here(session).call(account.getAccount)).first_name).toBe('Ana')
    const halfway = here(pending)
    expect(outcomeOf(await halfway.call(signIn.loginOtp, { otp_token: used }))).toBe('invalid_otp')
    expect(outcomeOf(await halfway.call(signIn.loginOtp, { otp_token: code(1) }))).toBe('ok')
    // The clock stands still here, so that the wait of one second does not end.
    const guess = (text: string) => server.browser().call(signIn.login, { username: bor.email, password: text })
    expect(outcomeOf(await guess(wrong))).toBe('invalid_credentials')
    expect(outcomeOf(await guess(bor.password))).toBe('too_many_requests')
  },
)
