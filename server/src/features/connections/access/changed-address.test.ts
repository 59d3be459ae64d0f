import { account, clientAccess, clients, security } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { whileUncommitted } from '../../../../test/databases/while-uncommitted.ts'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { mailedToken, type RegisteredUser, registerConfirmedUser } from '../../../../test/registered-user.ts'
import { good } from '../../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import {
  allow,
  authorize,
  post,
  refresh,
  signInTo,
  type ThirdParty,
  type Tokens,
  userinfo,
} from '../../../../test/third-party.ts'
import type { TransactionDeps } from '../../../deps.ts'
import { confirmEmail, findUser } from '../../account/public.ts'
import { writeAccess } from '../../client-access/public.ts'

let server: TestServer
let owner: RegisteredUser
let organization: Organization
beforeAll(async () => {
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' })
  owner = await registerConfirmedUser(server)
  organization = await createOrganization(server, owner)
})
afterAll(() => server.close())

let person: RegisteredUser
let next: string
let app: ThirdParty
let tokens: Tokens
beforeEach(async () => {
  person = await registerConfirmedUser(server)
  next = `next-${person.email}`
  app = await organization.app()
  await allow(person, app)
  tokens = await signInTo(server, person, app)
})

const SCOPES = ['openid', 'email']

async function changeAddress(): Promise<void> {
  good(await person.call(account.updateAccount, { email: next }))
  good(await server.browser().call(security.verifyEmail, { token: await mailedToken(server, next) }))
}

async function setPeople(id: string, ...listed: string[]): Promise<void> {
  good(await owner.call(clientAccess.setAccess, { id, mode: 'people', people: listed }))
}

test('a service that named only the former address has no token of the person any more', async () => {
  const service = await organization.app({ type: 'service' })
  good(await owner.call(clients.updateClientInfo, { id: service.client_id, scopes: SCOPES }))
  await setPeople(service.client_id, person.email)
  const exchange = async () =>
    (
      await post(server, service, '/token', {
        grant_type: clients.TOKEN_EXCHANGE_GRANT,
        subject_token: tokens.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
    ).json()
  const { access_token } = await exchange()
  expect((await userinfo(server, access_token)).statusCode).toBe(200)
  await changeAddress()
  expect(await exchange()).toMatchObject({ error: 'invalid_request' })
  expect((await userinfo(server, access_token)).statusCode).toBe(401)
  // The app itself is open to everyone.
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
})

/** The address changes and the rule of the app names an address at the same time, and either commits first. */
const ORDERS: Record<string, (listed: string) => Promise<unknown>> = {
  'the address was changed first': async (listed) => {
    const change = async (deps: TransactionDeps) => {
      const user = await findUser(deps.db, person.user.id)
      if (user) await confirmEmail(deps, user, next)
    }
    await whileUncommitted(server, change, () => setPeople(app.client_id, listed))
  },
  'the rule was changed first': async (listed) => {
    good(await person.call(account.updateAccount, { email: next }))
    const token = await mailedToken(server, next)
    const rule = { mode: 'people' as const, groups: [], people: [listed] }
    const confirm = () => server.browser().call(security.verifyEmail, { token })
    good(await whileUncommitted(server, (deps) => writeAccess(deps, app.client_id, rule, ''), confirm))
  },
}

test.each(Object.entries(ORDERS))('a rule that names the former address leaves the person out: %s', async (_, race) => {
  await race(person.email)
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await authorize(person, app)).searchParams.has('code')).toBe(false)
})

test.each(Object.entries(ORDERS))('a rule that names the new address lets the person in: %s', async (_, race) => {
  await race(next)
  expect((await authorize(person, app)).searchParams.has('code')).toBe(true)
})
