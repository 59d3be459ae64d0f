import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { adminUsers, audit, branding, type configuration, groups, LOCALES, policy, sessions } from '@vrata/contract'
import * as f from '@vrata/contract/fields'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cookieHeader } from '../../../../testing/api-client.ts'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { halves } from '../../../test/pictures.ts'
import { type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { beforeTransaction, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { toYaml } from '../../lib/formats/yaml.ts'

let server: TestServer
let ana: Operator
let members: RegisteredUser[]
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
  members = await Promise.all([1, 2, 3].map(() => registerConfirmedUser(server)))
})
afterAll(() => server?.close())
beforeEach(async () => void good(await ana.call(sessions.reauthenticate, { otp_token: ana.phone.code() })))

const CONFIG = '/v1/admin/config'
type Sent = string | object

/** Applies a document: a text is YAML, all else is sent as JSON. */
async function put(document: Sent, { dry_run = false, type }: { dry_run?: boolean; type?: string } = {}) {
  const isText = typeof document === 'string'
  const headers = { 'content-type': type ?? (isText ? 'application/yaml' : 'application/json') }
  const payload = isText ? document : JSON.stringify(document)
  const url = dry_run ? `${CONFIG}?dry_run=true` : CONFIG
  const answer = await ana.request({ method: 'PUT', url, headers, payload })
  const body = answer.json() as { data: configuration.ConfigurationChanges; error: never }
  return { ...body, status: answer.statusCode }
}
async function applied(document: Sent, dry_run = false): Promise<configuration.ConfigurationChanges> {
  const { data, error } = await put(document, { dry_run })
  expect(error).toBeUndefined()
  return data
}
const read = async (accept: string, query = '') =>
  ana.request({ method: 'GET', url: `${CONFIG}${query}`, headers: { accept } })
const exported = async (query = '') =>
  (await read('application/json', query)).json().data as configuration.Configuration
const newest = async (limit: number) =>
  good(await ana.call(audit.listAudit, { limit })).map(({ type, subject, changes }) => [type, subject.id, changes])
const events = async () =>
  Number(
    (
      await server.store.db
        .selectFrom('audit_events')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  )

describe('the document with the settings of the installation (operators §13)', () => {
  test('is read, changed in a text editor, tried and applied; each change has the event of its own call', async () => {
    const [bor, cvetka] = members.map(({ email }) => email)
    const text = (await read('application/yaml, */*;q=0.1')).payload
    expect(text).toContain('version: 1\npolicy:\n  registration: open\n')
    expect(text).not.toContain('members:')
    const changed = `${text
      .replace('registration: open', 'registration: domains')
      .replace('registration_domains: []', 'registration_domains: [example.com]')
      .replace(/^ {2}accent: .*$/m, "  accent: '#7A1FA2'")
      .replace('groups: []\n', '')}
groups:
  - key: editors
    name: Uredništvo
    members: [${bor?.toUpperCase()}, ${cvetka}]
`
    const changes = [
      { path: 'policy.registration', from: 'open', to: 'domains' },
      { path: 'policy.registration_domains', from: [], to: ['example.com'] },
      { path: 'branding.accent', from: null, to: '#7a1fa2' },
      { path: 'groups.editors.name', from: null, to: 'Uredništvo' },
      ...[bor, cvetka].sort().map((to) => ({ path: 'groups.editors.members', from: null, to })),
    ]
    const before = await events()
    expect(await applied(changed, true)).toEqual({ changes })
    expect(await events()).toBe(before)
    expect(good(await ana.call(policy.getPolicy)).registration).toBe('open')

    expect(await applied(changed)).toEqual({ changes })
    const ids = members.slice(0, 2).toSorted((a, b) => (a.email < b.email ? -1 : 1))
    expect((await newest(5)).toReversed()).toEqual([
      ['policy.changed', 'policy', { registration: ['open', 'domains'], registration_domains: ['', 'example.com'] }],
      ['branding.changed', 'installation', { accent: [null, '#7a1fa2'] }],
      ['group.created', 'editors', { name: [null, 'Uredništvo'], description: [null, ''] }],
      ...ids.map(({ user }) => ['user.group_added', user.id, { group: [null, 'editors'] }]),
    ])
    expect(good(await ana.call(branding.getBranding)).accent).toBe('#7a1fa2')

    // Applying it again changes nothing; settings that it does not name stay.
    const after = await events()
    for (const same of [changed, { version: 1 }, {}, { groups: [] }, { groups: [{ key: 'editors' }] }])
      expect(await applied(same)).toEqual({ changes: [] })
    expect(await events()).toBe(after)
    expect((await exported('?members=true')).groups).toEqual([
      { key: 'editors', name: 'Uredništvo', description: '', members: [bor, cvetka].sort() },
    ])

    expect(await applied({ groups: [{ key: 'editors', members: [bor] }] })).toEqual({
      changes: [{ path: 'groups.editors.members', from: cvetka, to: null }],
    })
    expect((await newest(1))[0]?.slice(0, 2)).toEqual(['user.group_removed', members[1]?.user.id])
    expect(good(await ana.call(groups.listGroupMembers, { key: 'editors' }))).toHaveLength(1)
    await applied({ policy: { registration: 'open' }, branding: { accent: null } })
  })

  test('is refused when the role is removed while the document arrives', async () => {
    const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
    const document = JSON.stringify({ groups: [{ key: 'late', name: 'Late' }] })
    const headers = {
      cookie: cookieHeader(ana.cookies) ?? '',
      origin: server.config.url,
      'content-type': 'application/json',
      'content-length': document.length,
    }
    const sending = request(new URL(CONFIG, origin), { method: 'PUT', headers })
    sending.write(document.slice(0, 10))
    // Until the server has admitted the request.
    await pause(300)
    await grantRole(server, ana, 'auditor')
    sending.end(document.slice(10))
    const [response] = await once(sending, 'response')
    response.resume()
    expect(response.statusCode).toBe(403)
    await grantRole(server, ana, 'admin')
    expect((await exported()).groups.map(({ key }) => key)).not.toContain('late')
  })

  test.each<[Sent, Record<string, string>]>([
    [{ polcy: {} }, { polcy: 'unknown' }],
    [{ version: 2 }, { version: 'invalid' }],
    [{ policy: { registration: 'never' } }, { 'policy.registration': 'invalid' }],
    [{ policy: { limits: { apps: 1 } } }, { 'policy.limits.apps': 'unknown' }],
    [{ policy: { registration: 'domains', registration_domains: [] } }, { 'policy.registration_domains': 'required' }],
    [{ branding: { languages: ['sl-SI'], default_language: 'hr-HR' } }, { 'branding.default_language': 'invalid' }],
    [{ branding: { accent_colors: null } }, { 'branding.accent_colors': 'unknown' }],
    [{ branding: { logo: 'logo.png' } }, { 'branding.logo': 'invalid' }],
    [{ groups: [{ key: 'new' }] }, { 'groups.0.name': 'required' }],
    [
      {
        groups: [
          { key: 'a', name: 'A' },
          { key: 'a', name: 'B' },
        ],
      },
      { 'groups.1.key': 'taken' },
    ],
    [{ groups: [{ key: 'A b', name: 'A' }] }, { 'groups.0.key': 'invalid' }],
    [{ groups: [{ key: 'a', name: 'A', members: ['nobody@example.com'] }] }, { 'groups.0.members.0': 'unknown' }],
    ['policy:\n  registration: open\n  registration: closed\n', { body: 'invalid' }],
    ['branding:\n  accent: #006867\n', { body: 'invalid' }],
    ['- version: 1\n', { body: 'invalid' }],
    ['a: &a [1]\nb: *a\n', { body: 'invalid' }],
    ['policy: !secret {}\n', { body: 'invalid' }],
    ['a: 1\n---\nb: 2\n', { body: 'invalid' }],
    ['[', { body: 'invalid' }],
    ['# nothing but a comment\nnull\n', { body: 'invalid' }],
  ])('refuses %j by the path in the document, and changes nothing of the rest', async (document, fields) => {
    const before = await exported()
    const rest = typeof document === 'string' || 'policy' in document ? {} : { policy: { qr_sign_in: false } }
    const sent = typeof document === 'string' ? document : { ...rest, ...document }
    for (const dry_run of [true, false])
      expect(await put(sent, { dry_run })).toMatchObject({ status: 400, error: { code: 'invalid_request', fields } })
    expect(await exported()).toEqual(before)
  })

  test.each([
    ['branding:\n  accent: #006867\n', /"accent" has no value.*quotes.* \(line 2, column 3\)/],
    ['policy:\n\n  registration: never\n', /policy\.registration \(line 3, column 3\)/],
    ['groups:\n  - key: a\n    name: A\n  - key: b\n    nmae: B\n', /groups\.1\.nmae \(line 5, column 5\)/],
    ['policy:\n  registration: open\n  registration: closed\n', /"registration" is there twice \(line 3, column 3\)/],
    ['policy: {\n', /line \d, column \d/],
  ])('says in which line of the YAML text %j the mistake is', async (document, message) => {
    expect(await put(document)).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } })
  })

  test('refuses YAML whose parsing would keep the server from everything else', async () => {
    expect(await put(`groups:\n${'- {}\n'.repeat(20_001)}`)).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(/more than 20000 lines and commas/) },
    })
  })

  test('refuses a list of half a million items', async () => {
    const { status, error } = await put({ version: 1, groups: Array(500_000).fill(0) })
    expect([status, error]).toMatchObject([400, { code: 'invalid_request' }])
  })

  test('refuses a text that is nested too deeply', async () => {
    expect(await put('['.repeat(100_000))).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(/nested too deeply/) },
    })
  })

  test('takes no member without a confirmed address, and keeps one who has not taken over their account yet', async () => {
    const { id: user_id, email } = good(
      await ana.call(adminUsers.createUser, { email: 'soon@example.com', send_invitation: true }),
    )
    const document = { groups: [{ key: 'readers', name: 'Readers', members: [email] }] }
    expect(await put(document)).toMatchObject({ error: { fields: { 'groups.0.members.0': 'unknown' } } })
    await applied({ groups: [{ key: 'readers', name: 'Readers' }] })
    good(await ana.call(groups.addGroupMember, { key: 'readers', user_id }))
    expect(await applied(document)).toEqual({ changes: [] })
  })

  test('counts in a dry run whom new ways to sign in concern, and leaves an administrator a way', async () => {
    const people = good(await ana.call(policy.countAffected, { second_factor: 'everyone' }))
    expect(await applied({ policy: { second_factor: 'everyone' } }, true)).toEqual({
      changes: [{ path: 'policy.second_factor', from: 'optional', to: 'everyone' }],
      affected: people,
    })
    const document = { policy: { password_sign_in: false }, groups: [{ key: 'nobody', name: 'Nobody' }] }
    for (const dry_run of [true, false])
      expect(await put(document, { dry_run })).toMatchObject({ status: 409, error: { code: 'last_operator' } })
    expect((await exported()).groups.map(({ key }) => key)).not.toContain('nobody')
  })

  test('carries pictures as data; what it carries already is not stored again', async () => {
    const dataOf = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`
    const png = dataOf(await halves('png'))
    const change = { path: 'branding.logo', from: null, to: expect.stringMatching(/^image\/png, \d+ bytes$/) }
    expect(await applied({ branding: { logo: png } }, true)).toEqual({ changes: [change] })
    expect(await applied({ branding: { logo: png } })).toEqual({ changes: [change] })
    const { logo } = good(await ana.call(branding.getBranding))
    expect((await newest(1))[0]).toEqual(['branding.changed', 'installation', { logo: [null, logo] }])
    const document = await exported()
    expect(document.branding.logo).toMatch(/^data:image\/webp;base64,/)
    for (const same of [document, (await read('application/yaml')).payload, { branding: { logo: png } }])
      expect(await applied(same)).toEqual({ changes: [] })
    for (const dry_run of [true, false])
      expect(await put({ branding: { icon: dataOf(Buffer.from('no picture at all')) } }, { dry_run })).toMatchObject({
        status: 415,
        error: { fields: { 'branding.icon': 'not_a_picture' } },
      })
    const removed = { path: 'branding.logo', from: expect.stringMatching(/^image\/webp, \d+ bytes$/), to: null }
    expect(await applied({ branding: { logo: null } })).toEqual({ changes: [removed] })
    const file = `${logo}`.replace('.webp', '-512.webp')
    const isThere = async () => {
      const found = await server.deps.media.open(file)
      // Reads it to its end, which closes it.
      for await (const _ of found?.body ?? []);
      return found !== undefined
    }
    await expect.poll(isThere).toBe(false)
  })

  test('has its pictures also when another operator changes one while they are compared', async () => {
    const logo = `data:image/png;base64,${(await halves('png')).toString('base64')}`
    await applied({ branding: { logo } })
    beforeTransaction(server, async () => good(await ana.call(branding.removeBrandingLogo)))
    expect(await applied({ branding: { logo } })).toMatchObject({ changes: [{ path: 'branding.logo', from: null }] })
    expect(good(await ana.call(branding.getBranding)).logo).not.toBeNull()
    await applied({ branding: { logo: null } })
  })

  test('is JSON or YAML by Content-Type and Accept', async () => {
    const document = await exported()
    const type = async (accept: string) => (await read(accept)).headers['content-type']
    for (const accept of ['application/yaml', 'application/yaml;q=0.5, application/json;q=0.4'])
      expect(await type(accept)).toBe('application/yaml; charset=utf-8')
    for (const accept of ['*/*', 'application/json, application/yaml', 'text/html', 'application/yaml;q=0'])
      expect(await type(accept)).toMatch(/^application\/json/)
    expect((await read('application/yaml')).payload).toBe(toYaml(document))
    expect(await put(JSON.stringify(document), { type: 'application/json; charset=utf-8' })).toMatchObject({
      status: 200,
    })
    expect(await put(JSON.stringify(document), { type: 'application/yaml' })).toMatchObject({ status: 200 })
    expect(await put('version: 1', { type: 'application/json' })).toMatchObject({ status: 400 })
    expect(await put('version: 1', { type: 'text/plain' })).toMatchObject({ status: 415 })
    expect(await put(`# ${'x'.repeat(2 * 1024 * 1024)}`)).toMatchObject({ status: 413 })
    const written = await ana.request({
      method: 'PUT',
      url: CONFIG,
      headers: { 'content-type': 'application/yaml', accept: 'application/yaml' },
      payload: 'policy:\n  activity_days: 30\n',
    })
    expect(written.payload).toBe('changes:\n  - path: policy.activity_days\n    from: null\n    to: 30\n')
  })
})

/** `PROPERTY_RUNS=500 npm run test:fast -- configuration` tries more. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 10)

/** Texts that a careless writer or reader of YAML takes for something else. */
const AMBIGUOUS = [
  'null',
  '~',
  'true',
  'no',
  '1',
  '1e3',
  '0x10',
  '2026-11-23',
  '- a',
  '# b',
  'a: b',
  '"',
  "'",
  '<<',
  '&a',
  '*a',
  '|',
]

function texts(field: { safeParse(value: unknown): { success: boolean } }, maxLength: number) {
  const any = fc.string({ unit: 'grapheme', minLength: 1, maxLength })
  // Spaces around a text are not kept.
  return fc
    .oneof(fc.constantFrom(...AMBIGUOUS), any)
    .map((text) => text.trim())
    .filter((text) => field.safeParse(text).success)
}

const line = texts(f.line(40, 1), 20)
const multiline = texts(f.text(200), 60)
const url = fc.constantFrom('https://example.com/a?b=c#d', 'https://primer.si/', null)
const localized = fc.record(Object.fromEntries(LOCALES.map((one) => [one, multiline])), { requiredKeys: [] })

const policies = fc
  .record(
    {
      registration: fc.constantFrom('open', 'invited', 'closed'),
      registration_domains: fc.uniqueArray(
        fc.domain().filter((one) => f.domain.safeParse(one).success),
        { maxLength: 3 },
      ),
      qr_sign_in: fc.boolean(),
      passkey_sign_in: fc.boolean(),
      second_factor: fc.constantFrom('optional', 'developers', 'everyone'),
      privacy_url: url,
      password_min_length: fc.integer({ min: 12, max: 64 }),
      activity_days: fc.option(fc.integer({ min: 1, max: 3650 })),
      audit_days: fc.option(fc.integer({ min: 30, max: 3650 })),
      limits: fc.record(
        { clients_per_organization: fc.nat(1000), members_per_organization: fc.nat(1000) },
        { requiredKeys: [] },
      ),
      terms: fc.option(line),
    },
    { requiredKeys: [] },
  )
  // Settings of which one needs another.
  .map(({ terms, ...rest }) =>
    terms === undefined ? rest : { ...rest, terms_version: terms, terms_url: 'https://example.com/terms' },
  )

const looks = fc.record(
  {
    name: fc.option(line),
    accent: fc.option(fc.integer({ min: 0, max: 0xffffff }).map((color) => `#${color.toString(16).padStart(6, '0')}`)),
    support_url: url,
    mail_from_name: fc.option(line),
    mail_footer: localized,
    sign_in_text: localized,
    languages: fc.subarray([...LOCALES]).map((some) => [...new Set(['en-US', ...some])]),
  },
  { requiredKeys: [] },
)

const listed = fc.uniqueArray(
  fc.record(
    {
      key: fc.constantFrom('null', 'yes', '0', 'a.b', 'staff'),
      name: line,
      description: fc.oneof(fc.constant(''), line),
      members: fc.subarray([0, 1, 2]),
    },
    { requiredKeys: ['key', 'name'] },
  ),
  { selector: ({ key }) => key },
)

test('any document is applied as its dry run predicted, and applying what is exported afterwards changes nothing', async () => {
  const documents = fc.record({ policy: policies, branding: looks, groups: listed }, { requiredKeys: [] })
  const property = fc.asyncProperty(documents, fc.boolean(), async (generated, asYaml) => {
    const named = generated.groups?.map(({ members: some, ...group }) => ({
      ...group,
      ...(some ? { members: some.map((at) => members[at]?.email) } : {}),
    }))
    const document = { ...generated, ...(named ? { groups: named } : {}) }
    const sent = asYaml ? toYaml(document) : document
    const { changes: predicted } = await applied(sent, true)
    const before = await events()
    expect((await applied(sent)).changes).toEqual(predicted)
    const after = await events()
    expect(after > before).toBe(predicted.length > 0)
    expect(await applied(sent)).toEqual({ changes: [] })
    const result = await exported('?members=true')
    expect(result.policy).toMatchObject({ ...document.policy, registration_domains: expect.any(Array) })
    expect(await applied(result)).toEqual({ changes: [] })
    expect(await applied((await read('application/yaml', '?members=true')).payload)).toEqual({ changes: [] })
    expect(await exported('?members=true')).toEqual(result)
    expect(await events()).toBe(after)
  })
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 540_000 })
  expect(server.deadlocks()).toEqual([])
}, 600_000)
