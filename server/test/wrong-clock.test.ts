import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { account, LIFETIMES, signIn } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { apiClient, type Cookies, cookieHeader } from '../../testing/api-client.ts'
import { testEngine } from './databases/template-db.ts'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { startServerProcess } from './processes/server-process.ts'
import { good } from './second-factor.ts'
import { startTestServer } from './test-server.ts'
import { allow, authorizeUrl, codeFor, credentials, post, proofKey, type Tokens, userinfo } from './third-party.ts'

const JUMPING_CLOCK = pathToFileURL(join(import.meta.dirname, 'processes/jumping-clock.ts'))
const seconds = () => Math.floor(Date.now() / 1000)

test.skipIf(testEngine === 'sqlite')(
  'a server whose clock jumps by a day takes nothing for expired and issues nothing for another day; it is not ready (security §20.7)',
  async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const { database_url = '', secret, url: origin } = server.config
    const other = await startServerProcess({
      VRATA_DATABASE_URL: database_url,
      VRATA_SECRET: secret,
      VRATA_URL: origin,
      NODE_OPTIONS: `--import ${JUMPING_CLOCK}`,
    })
    // The other one has the time of the database.
    server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000)
    const url = `http://localhost:${other.port}`
    const at = (cookies: Cookies) => apiClient({ url, origin, cookies })
    const send = async (path: string, form: Record<string, string>, headers: Record<string, string>) =>
      await fetch(url + path, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' })

    const ana = await server.as(people.ana)
    const app = await (await createOrganization(server, ana)).app()
    await allow(ana, app)
    const { form } = await codeFor(ana, app)

    other.kill('SIGUSR2')
    const readiness = async () => await (await fetch(`${url}/readyz`)).json()
    await expect.poll(readiness).toEqual({
      status: 'not_ready',
      problems: [expect.stringMatching(/^clock: 86(399|400|401) seconds after the database's$/)],
    })

    // A cookie of ten minutes, and a code of one.
    expect(good(await at(ana.cookies)(account.getAccount)).email).toBe(people.ana.email)
    const answer = await send('/token', form, credentials(app))
    expect(answer.status).toBe(200)
    const tokens = (await answer.json()) as Tokens
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] as string, 'base64url').toString())
    expect(Math.abs(claims.iat - seconds())).toBeLessThan(60)
    expect(claims.exp - claims.iat).toBe(LIFETIMES.id_token)

    // Tokens that it issues are valid at the other server.
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
    const { refresh_token } = tokens
    expect((await post(server, app, '/token', { grant_type: 'refresh_token', refresh_token })).statusCode).toBe(200)
    const cookies: Cookies = new Map()
    const { email: username, password } = people.ana
    expect(good(await at(cookies)(signIn.login, { username, password })).next).toBe('done')
    const { verifier, challenge } = proofKey()
    const back = await fetch(url + authorizeUrl(app, { code_challenge: challenge }), {
      headers: { cookie: cookieHeader(cookies) ?? '' },
      redirect: 'manual',
    })
    const code = new URL(back.headers.get('location') ?? '', origin).searchParams.get('code') ?? ''
    const fromThere = await post(server, app, '/token', { ...form, code, code_verifier: verifier })
    expect(fromThere.statusCode).toBe(200)
  },
)
