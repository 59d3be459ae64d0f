import { afterAll, beforeAll } from 'vitest'
import { type AdapterSubject, adapterConformance } from '../../../test/adapters/adapter.conformance.ts'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow } from '../../../test/third-party.ts'
import { findIssuerClient } from '../../features/clients/public.ts'
import { runProviderRequest } from '../request/current-request.ts'
import { ProviderRequest } from '../request/provider-request.ts'
import { UnknownCommits } from '../request/unknown-commits.ts'
import { grantIdOf } from '../tokens/grant-ids.ts'
import { adapterFor } from './adapter.ts'
import { KnownScopes } from './known-scopes.ts'

let server: TestServer
let grant: ReturnType<AdapterSubject['grant']>

beforeAll(async () => {
  server = await startTestServer()
  const ana = await server.as(people.ana)
  const app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  const { read } = server.store
  const connection = await read.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
  const session = await read.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  grant = {
    grantId: grantIdOf(connection.id, session.id),
    accountId: connection.user_id,
    clientId: app.client_id,
    sessionUid: session.id,
    redirectUri: jadrolet.redirect_uri,
  }
})
afterAll(() => server.close())

const adapter = adapterFor(new KnownScopes())

adapterConformance('our tables', () => ({
  adapter,
  async request(work) {
    const clients = { find: (client_id: string) => findIssuerClient(server.store.read, client_id) }
    const keys = { of: () => Promise.reject() as never }
    const clientErrors = { record: async () => undefined }
    const options = {
      clients,
      keys,
      clientErrors,
      unknownCommits: new UnknownCommits(server.deps),
      publishedKeys: keys.of,
      sessionCookie: undefined,
      path: '/token',
      visitor: () => Promise.reject() as never,
    }
    const request = new ProviderRequest(server.deps, options)
    return runProviderRequest(request, async () => {
      const value = await work()
      await request.commit()
      return value
    })
  },
  grant: () => grant,
  advance: (seconds) => server.clock.advance(seconds),
}))
