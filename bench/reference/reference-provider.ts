import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Provider, { type Adapter, type AdapterPayload, type JWK } from 'oidc-provider'
import { REDIRECT_URI, REFERENCE, SCOPES, SERVICE_SCOPE } from './reference-data.ts'

/**
 * oidc-provider alone: one constant account, no rate limits, no activity, no statistics. It gives the same responses as Vrata, so that
 * the difference is the cost of everything else. `REFERENCE_ADAPTER=map` keeps artifacts in memory; `rows` writes each as a
 * row of SQLite, with one durable commit for each write.
 */
const rows = new Map<string, AdapterPayload>()
const byUid = new Map<string, string>()

const inMemory = (model: string): Adapter => ({
  async upsert(id, payload) {
    rows.set(`${model} ${id}`, payload)
    if (model === 'Session' && payload.uid) byUid.set(payload.uid, id)
  },
  find: async (id) => rows.get(`${model} ${id}`),
  findByUid: async (uid) => rows.get(`${model} ${byUid.get(uid)}`),
  findByUserCode: async () => undefined,
  async consume(id) {
    const row = rows.get(`${model} ${id}`)
    if (row) row.consumed = Math.floor(Date.now() / 1000)
  },
  destroy: async (id) => void rows.delete(`${model} ${id}`),
  revokeByGrantId: async () => undefined,
})

function inRows(): (model: string) => Adapter {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-reference-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const database = new DatabaseSync(join(folder, 'rows.sqlite'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table artifacts (id text primary key, uid text, payload text not null) without rowid')
  database.exec('create index artifacts_uid on artifacts (uid) where uid is not null')
  const write = database.prepare('insert or replace into artifacts (id, uid, payload) values (?, ?, ?)')
  const read = database.prepare('select payload from artifacts where id = ?')
  const readByUid = database.prepare('select payload from artifacts where uid = ?')
  const remove = database.prepare('delete from artifacts where id = ?')
  const parsed = (row: unknown) => row && (JSON.parse((row as { payload: string }).payload) as AdapterPayload)
  return (model) => ({
    async upsert(id, payload) {
      write.run(`${model} ${id}`, payload.uid ? `${model} ${payload.uid}` : null, JSON.stringify(payload))
    },
    find: async (id) => parsed(read.get(`${model} ${id}`)) as AdapterPayload | undefined,
    findByUid: async (uid) => parsed(readByUid.get(`${model} ${uid}`)) as AdapterPayload | undefined,
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = parsed(read.get(`${model} ${id}`))
      if (!payload) return
      const consumed = { ...(payload as AdapterPayload), consumed: Math.floor(Date.now() / 1000) }
      write.run(`${model} ${id}`, null, JSON.stringify(consumed))
    },
    destroy: async (id) => void remove.run(`${model} ${id}`),
    revokeByGrantId: async () => undefined,
  })
}

const adapter = process.env.REFERENCE_ADAPTER === 'rows' ? inRows() : inMemory

const CLAIMS = {
  name: 'Ana Kovač',
  given_name: 'Ana',
  family_name: 'Kovač',
  locale: 'en-US',
  updated_at: 1_763_719_200,
  email: 'ana.kovac@example.com',
  email_verified: true,
}

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as JWK
const provider = new Provider(`http://localhost:${process.env.PORT}`, {
  adapter,
  jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig' }] },
  clients: [
    {
      client_id: REFERENCE.client_id,
      client_secret: REFERENCE.client_secret,
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scope: [...SCOPES, SERVICE_SCOPE].join(' '),
      id_token_signed_response_alg: 'ES256',
    },
  ],
  claims: {
    openid: ['sub', 'auth_time'],
    profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  scopes: [...SCOPES, SERVICE_SCOPE],
  routes: { authorization: '/authorize', token: '/token', userinfo: '/userinfo', introspection: '/introspect' },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...CLAIMS }) }),
  issueRefreshToken: async () => true,
  expiresWithSession: async (_, token) => !token.scopes.has('offline_access'),
  rotateRefreshToken: true,
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    IdToken: 3600,
    RefreshToken: 86_400,
    Session: 86_400,
    Grant: 86_400,
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (ctx) => (ctx.oidc.params?.scope === SERVICE_SCOPE ? 'urn:notes' : []),
      getResourceServerInfo: async (_, audience) => ({
        scope: SERVICE_SCOPE,
        audience,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
    introspection: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
  },
})

const now = Math.floor(Date.now() / 1000)
const lasting = { iat: now, exp: now + 86_400, accountId: REFERENCE.account }
await adapter('Grant').upsert(
  REFERENCE.grant,
  {
    ...lasting,
    jti: REFERENCE.grant,
    kind: 'Grant',
    clientId: REFERENCE.client_id,
    openid: { scope: SCOPES.join(' ') },
  },
  0,
)
await adapter('Session').upsert(
  REFERENCE.session,
  {
    ...lasting,
    jti: REFERENCE.session,
    kind: 'Session',
    uid: 'uid',
    loginTs: now,
    authorizations: { [REFERENCE.client_id]: { grantId: REFERENCE.grant } },
  } as AdapterPayload,
  0,
)

const server = provider.listen(Number(process.env.PORT), 'localhost')
// The same timeout as Vrata's, because the load keeps its connections while others are measured.
server.keepAliveTimeout = 65_000
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  process.exit()
})
