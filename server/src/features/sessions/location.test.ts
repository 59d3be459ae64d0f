import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, activity, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writePlaces } from '../../../test/adapters/geoip-file.ts'
import { mailsTo, registerUser, signInAgain, tabOf } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'vrata-places-'))
let server: TestServer
beforeAll(async () => {
  const file = join(folder, 'places.mmdb')
  writePlaces(file, {
    '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' },
    '2a05:4f46::/32': { city: 'Split', country: 'HR' },
  })
  server = await startTestServer({ VRATA_GEOIP_FILE: file })
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

test('shows the location in devices, activity and the new-device mail, in the language of the reader', async () => {
  const ana = await registerUser(server, { ip: '89.142.3.4', language: 'sl-SI' })
  await ana.call(account.updateAccount, { language: ['sl-SI'] })
  server.clock.advance(60)
  const away = await signInAgain(server, ana, { ip: '2a05:4f46:7::1', language: 'en-US' })
  // The choice of the page; the sign-in has set the language of the account.
  away.cookies.set('language', 'en-US')
  server.clock.advance(60)
  await signInAgain(server, ana, { ip: '192.0.2.1' })

  expect(good(await ana.call(sessions.listSessions)).map(({ ip, location }) => [ip, location])).toEqual([
    ['89.142.3.4', 'Ljubljana, Slovenija'],
    ['192.0.2.1', null],
    ['2a05:4f46:7::1', 'Split, Hrvaška'],
  ])
  const entries = good(await away.call(activity.listActivity, { type: 'LOGGED_IN' }))
  expect(entries.map(({ ip, location }) => [ip, location])).toEqual([
    ['192.0.2.1', null],
    ['2a05:4f46:7::1', 'Split, Croatia'],
  ])
  const mails = (await mailsTo(server, ana.email)).filter(({ link }) => link.endsWith('/devices'))
  expect(mails.map(({ text }) => text.includes('Split, Hrvaška'))).toEqual([true, false])
})

test('shows the location of the last use, not that of the sign-in', async () => {
  const ana = await registerUser(server, { ip: '89.142.3.4' })
  const places = async (browser: Caller) =>
    good(await browser.call(sessions.listSessions)).map(({ ip, location }) => [ip, location])

  const away = tabOf(server, ana, { ip: '2a05:4f46:7::1' })
  good(await away.call(sessions.refresh))
  expect(await places(away)).toEqual([['2a05:4f46:7::1', 'Split, Croatia']])

  // A sign-in continues the session of the browser.
  const back = tabOf(server, away, { ip: '89.142.9.9' })
  good(await back.call(signIn.login, { username: ana.email, password: ana.password }))
  expect(await places(back)).toEqual([['89.142.9.9', 'Ljubljana, Slovenia']])

  const nowhere = tabOf(server, back, { ip: '192.0.2.1' })
  good(await nowhere.call(sessions.refresh))
  expect(await places(nowhere)).toEqual([['192.0.2.1', null]])
})
