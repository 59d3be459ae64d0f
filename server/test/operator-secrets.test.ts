import {
  account,
  clients,
  OPERATOR_ROLES,
  privacy,
  type Route,
  roleNeeded,
  scopes,
  security,
  signIn,
  system,
} from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TABLES } from '../src/db/schema.ts'
import { resetFactors } from '../src/features/admin-users/public.ts'
import { printSetupLink } from '../src/main.ts'
import { authenticator } from './authenticator.ts'
import { createOperator, grantRole, type Operator } from './operator.ts'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { type RegisteredUser, registerConfirmedUser } from './registered-user.ts'
import { good, withSecondFactor } from './second-factor.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { allow, codeFor, post } from './third-party.ts'

/**
 * No operator reads what is not theirs (operators §2): one of everything secret is planted, and no answer to a GET of operators has
 * any of it, for any role. The calls are those of the contract; stored hashes, keys and payloads are found by the names of columns.
 */
const GETS = [...ROUTES].flatMap(([name, route]) =>
  roleNeeded(route.needs) && route.method === 'GET' ? [{ name, route }] : [],
)

let server: TestServer
let operator: Operator
let person: RegisteredUser
/** Values that no answer may contain, by name. */
const planted = new Map<string, string>()
/** Values of the parameters of paths. */
let ids: Record<string, string>

const plant = (name: string, value: string | null | undefined) => {
  if (!value) throw new Error(`nothing planted: ${name}`)
  planted.set(name, value)
}

beforeAll(async () => {
  server = await startTestServer({ VRATA_AUDIT_SINK: 'https://sink:password-of-the-sink@log.example/events' })
  operator = await createOperator(server, people.ana, 'admin')
  plant('second factor of the operator', operator.phone.secret)
  plant('secret of the installation', 'a secret for tests, of a good length, and of nobody')
  plant('password of the audit sink', 'password-of-the-sink')
  person = await registerConfirmedUser(server)
  const owner = await registerConfirmedUser(server)
  plant('password', person.password)
  const { phone, codes } = await withSecondFactor(server, person)
  plant('second factor', phone.secret)
  for (const code of codes) plant(`recovery code ${code}`, code)
  for (const [name, value] of person.cookies) if (name !== 'language') plant(`cookie ${name}`, value)
  const response = authenticator().create(good(await person.call(security.passkeyOptions)))
  good(await person.call(security.addPasskey, { name: 'Ključ iz predala 7', response }))
  plant('name of a passkey, which only the archive has', 'Ključ iz predala 7')

  const { developer_id, app: createApp } = await createOrganization(server, owner)
  const app = await createApp()
  plant('client secret', app.client_secret)
  const key = `${app.client_id}.diary.read`
  good(await owner.call(scopes.defineScope, { id: app.client_id, key, title: { 'en-US': 'Read the diary' } }))
  good(await owner.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'email', key] }))
  await allow(person, app, `openid email ${key}`)
  plant('title of a granted scope', 'Read the diary')
  const tokens = (
    await post(server, app, '/token', (await codeFor(person, app, { scope: `openid email ${key}` })).form)
  ).json()
  plant('access token', tokens.access_token)
  plant('ID token', tokens.id_token)
  plant('authorization code', (await codeFor(person, app, { scope: 'openid email' })).code)
  const { token } = good(
    await operator.call(system.createRegistrationToken, { developer_id, email: owner.email, uses: 3, days: 3 }),
  )
  plant('token for registering apps', token)

  good(await person.call(privacy.requestData))
  good(await person.call(account.updateAccount, { email: `next-${person.email}` }))
  await server.browser().call(signIn.forgotPassword, { email: person.email })
  const helper = { command: 'test', role: 'admin', locale: 'en-US' } as const
  await server.deps.transaction((tx) => resetFactors(tx, helper, { id: person.user.id, reason: 'A call' }))
  for (const { to, link } of await server.outbox()) {
    const secret = link?.split('/').at(-1)
    if (secret && secret.length > 30) plant(`link to ${to} ${secret}`, secret)
  }
  // Waits, with its link, and is not sent.
  await server.browser().call(signIn.forgotPassword, { email: owner.email })
  await grantRole(server, operator, null)
  await printSetupLink(server.deps, (line) => plant('setup link', line.split('/').at(-1)))
  await grantRole(server, operator, 'admin')

  const { db } = server.store
  const created_at = server.clock.now().toISOString()
  const group = { key: 'staff', name: 'Staff', description: '', search: 'staff', created_at }
  await db.insertInto('groups').values(group).execute()
  const mail = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'mail')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  ids = {
    'adminUsers.getAdminUser': person.user.id,
    'adminClients.getAdminClient': app.client_id,
    'adminOrganizations.getAdminOrganization': developer_id,
    'groups.getGroup': 'staff',
    'groups.listGroupMembers': 'staff',
    'system.getMail': mail.id,
  }
})
afterAll(() => server.close())

/** Columns whose values open something, or come from something that does. */
const SECRET_COLUMN = /hash|sealed|secret$|seed|jwk$|payload|public_key|^file$/
/** The chain is public, tokens for registering apps are named by their hash (decision 0105), and announcements are no secrets. */
const PUBLIC = ['audit_events', 'registration_tokens', 'signals']

/** Stored values of such columns, by table and column; short ones could be in an answer by chance. */
async function storedSecrets(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    if (PUBLIC.includes(table)) continue
    for (const row of await server.store.db.selectFrom(table).selectAll().execute())
      for (const [column, value] of Object.entries(row))
        if (SECRET_COLUMN.test(column) && typeof value === 'string' && value.length >= 16)
          found.set(`${table}.${column} ${value.slice(0, 8)}`, value)
  }
  return found
}

/** The whole text of an answer, of all pages that it may have. */
async function answerTo({ name, route }: { name: string; route: Route }): Promise<string> {
  const path = route.path.replace(/:[a-z_]+/g, () => encodeURIComponent(ids[name] ?? 'missing'))
  const answer = await operator.request({ url: `/v1${path}${route.page ? '?limit=100' : ''}` })
  if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}: ${answer.body}`)
  return answer.body
}

describe('no answer to an operator has a secret', () => {
  test('enough is planted, and stored', async () => {
    expect(planted.size).toBeGreaterThan(25)
    const columns = new Set([...(await storedSecrets()).keys()].map((name) => name.split(' ')[0]))
    for (const column of ['users.password_hash', 'otp_seeds.sealed_seed', 'clients.secret_hash', 'signing_keys.jwk'])
      expect(columns).toContain(column)
  })

  test.each(OPERATOR_ROLES)('for %s', async (role) => {
    await grantRole(server, operator, role)
    const secrets = [...planted, ...(await storedSecrets())]
    const allowed = GETS.filter(({ route }) => role === 'admin' || roleNeeded(route.needs) !== 'admin')
    const seen: string[] = []
    for (const call of allowed) {
      const body = await answerTo(call)
      for (const [name, value] of secrets) if (body.includes(value)) seen.push(`${call.name}: ${name}`)
    }
    expect(seen).toEqual([])
    expect(allowed.length).toBeGreaterThan(15)
  })
})
