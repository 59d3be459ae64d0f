import { clients, connections } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** OpenID Connect Core §5.4: libraries read the name and the address from the ID token. */
let server: TestServer
let ana: SignedIn
let organization: Organization

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

/** Claims that every ID token of these tests has. */
const MINIMAL = ['acr', 'amr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'sub']

async function allowedApp(scopes = 'openid profile email'): Promise<ThirdParty> {
  const app = await organization.app()
  await allow(ana, app, scopes)
  return app
}
const setAdvanced = (app: ThirdParty, changes: Partial<clients.Advanced>) =>
  ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })
const namesIn = (id_token: string) => Object.keys(decodeJwt(id_token)).sort()

test('the ID token carries the claims of the granted scopes, as userinfo does', async () => {
  const app = await allowedApp()
  const { id_token, access_token, refresh_token } = await signInTo(server, ana, app)
  const claims = (await userinfo(server, access_token)).json()
  expect(claims).toMatchObject({ name: 'Ana Kovač', email: people.ana.email, email_verified: true })
  expect(decodeJwt(id_token)).toMatchObject(claims)
  expect(namesIn(id_token)).toEqual([...new Set([...MINIMAL, ...Object.keys(claims)])].sort())
  expect(decodeJwt((await refresh(server, app, refresh_token)).json().id_token)).toMatchObject(claims)
})

test('the ID token carries no claim of a scope that is not requested, not granted, revoked, or removed from the app', async () => {
  const app = await allowedApp('openid email')
  const onlyEmail = [...MINIMAL, 'email', 'email_verified'].sort()
  expect(namesIn((await signInTo(server, ana, app, { scope: 'openid' })).id_token)).toEqual(MINIMAL)
  const consented = await signInTo(server, ana, app, { scope: 'openid email' })
  expect(namesIn(consented.id_token)).toEqual(onlyEmail)
  await allow(ana, app, 'profile')
  await ana.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'email'] })
  const renewed = (await refresh(server, app, consented.refresh_token)).json()
  expect(namesIn(renewed.id_token)).toEqual(onlyEmail)
  await ana.call(connections.revokeScope, { client: app.client_id, key: 'email' })
  expect(namesIn((await refresh(server, app, renewed.refresh_token)).json().id_token)).toEqual(MINIMAL)
})

test('with id_token_claims minimal, the ID token carries only requested single claims besides those of the sign-in', async () => {
  const app = await allowedApp()
  expect(await ana.call(clients.getAdvanced, { id: app.client_id })).toMatchObject({
    data: { id_token_claims: 'scopes' },
  })
  expect(await setAdvanced(app, { id_token_claims: 'minimal' })).toMatchObject({ data: { id_token_claims: 'minimal' } })
  const { id_token, access_token, refresh_token } = await signInTo(server, ana, app)
  expect(namesIn(id_token)).toEqual(MINIMAL)
  expect((await userinfo(server, access_token)).json()).toMatchObject({ name: 'Ana Kovač', email: people.ana.email })
  expect(namesIn((await refresh(server, app, refresh_token)).json().id_token)).toEqual(MINIMAL)
  const single = await signInTo(server, ana, app, { claims: JSON.stringify({ id_token: { given_name: null } }) })
  expect(namesIn(single.id_token)).toEqual([...MINIMAL, 'given_name'].sort())
})
