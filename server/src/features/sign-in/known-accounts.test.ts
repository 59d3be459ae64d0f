import { account, activity, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailsTo, registerUser, signInAgain } from '../../../test/registered-user.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

async function cards(browser: Caller) {
  const answer = await browser.call(signIn.listKnownAccounts)
  return answer.ok ? answer.data : undefined
}

describe('known accounts (api §3.11)', () => {
  test('lists an account in its browser, also after signing out', async () => {
    const ana = await registerUser(server)
    await ana.call(account.updateAccount, { first_name: 'Ana', last_name: 'Kovač' })
    await ana.call(sessions.logout)
    expect(await cards(ana)).toEqual([
      { id: ana.user.id, first_name: 'Ana', last_name: 'Kovač', profile_picture: null, username_or_email: ana.email },
    ])
  })

  test('lists nothing in another browser', async () => {
    const ana = await registerUser(server)
    const stranger = server.browser()
    expect(await cards(stranger)).toEqual([])
    stranger.cookies.set('vrata_device', 'a guess')
    expect(await cards(stranger)).toEqual([])
    await stranger.call(signIn.removeKnownAccount, { id: ana.user.id })
    expect(await cards(ana)).toHaveLength(1)
  })

  test('does not list an account with allow_details_on_login off', async () => {
    const ana = await registerUser(server)
    await ana.call(account.updateAccount, { allow_details_on_login: false })
    expect(await cards(ana)).toEqual([])
  })

  test('removes an account from this browser only, and succeeds twice', async () => {
    const ana = await registerUser(server)
    const phone = await signInAgain(server, ana)
    expect(await ana.call(signIn.removeKnownAccount, { id: ana.user.id })).toMatchObject({ ok: true })
    expect(await ana.call(signIn.removeKnownAccount, { id: ana.user.id })).toMatchObject({ ok: true })
    expect(await cards(ana)).toEqual([])
    expect(await cards(phone)).toHaveLength(1)
  })
})

describe('sign-in from an unknown browser (security §6.3.5)', () => {
  test('mails the user once; not for the first browser or a known one', async () => {
    const ana = await registerUser(server)
    const notices = async () =>
      (await mailsTo(server, ana.email)).filter(({ subject }) => subject === 'A new device signed in')
    server.clock.advance(1)
    await ana.call(sessions.logout)
    await ana.call(signIn.login, { username: ana.email, password: ana.password })
    expect(await notices()).toEqual([])
    await signInAgain(server, ana)
    expect(await notices()).toMatchObject([
      { link: 'http://localhost:3000/devices', text: expect.stringContaining('Firefox, Linux') },
    ])
  })
})

describe('sessions of activities (api §3.6)', () => {
  test('returns the session of each row and whether it is still open', async () => {
    const ana = await registerUser(server)
    const phone = await signInAgain(server, ana)
    const listed = await phone.call(sessions.listSessions)
    const session_id = listed.ok ? listed.data[0]?.id : undefined
    const own = await ana.call(activity.listActivity, { session_id: session_id ?? '' })
    expect(own).toMatchObject({ data: [{ type: 'LOGGED_IN', session_id, session: 'open' }] })
    await ana.call(sessions.logoutSession, { id: session_id ?? '' })
    expect(await ana.call(activity.listActivity)).toMatchObject({
      data: [
        { type: 'LOGGED_OUT_DEVICE', session: 'current' },
        { type: 'LOGGED_IN', session: 'ended' },
        { type: 'CREATED_ACCOUNT', session: 'current' },
      ],
    })
  })
})
