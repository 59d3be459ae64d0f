import { FIELD_CODES, type Route } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Database } from '../src/db/schema.ts'
import { registerUser } from './registered-user.ts'
import { type Caller, startTestServer, type TestServer } from './test-server.ts'

/**
 * Invalid input on every call of the personal account, generated from the contract: every field of every body and query
 * missing, of another type, too long; and unknown fields. The error names the field and nothing changes.
 */
const PERSONAL = /^(?:account|activity|sessions|signIn|security|privacy|connections)\./
const CALLS = [...ROUTES]
  .filter(([name, { body, query }]) => PERSONAL.test(name) && (body || query))
  .map(([name, route]) => ({ name, route }))

/** A value that is invalid for a field of this JSON type. */
const OTHERS: Record<string, unknown> = {
  string: { text: 'x' },
  boolean: 'yes',
  integer: 'many',
  number: 'many',
  array: 7,
  object: 'x',
  null: 'x',
}
/** Longer than any field allows, shorter than the limit of a body. */
const TOO_LONG = 'a'.repeat(20_000)

type InvalidInput = { what: string; field: string; input: Record<string, unknown> }
type Described = { type?: string; enum?: unknown[]; anyOf?: Described[] }

/** Invalid inputs for each field of an object. */
function invalidInputs(schema: z.ZodObject, part: 'body' | 'query'): InvalidInput[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Described>
    required?: string[]
  }
  const all = Object.entries(properties).flatMap(([field, described]): InvalidInput[] => {
    const types = (described.anyOf ?? [described]).flatMap(({ type }) => type ?? [])
    const other = types.length === 1 ? OTHERS[types[0] as string] : { neither: true }
    return [
      // Every value in a query is text.
      ...(part === 'body' ? [{ what: 'of another type', field, input: { [field]: other } }] : []),
      ...(types.includes('string') ? [{ what: 'too long', field, input: { [field]: TOO_LONG } }] : []),
      ...(required.includes(field) ? [{ what: 'missing', field, input: {} }] : []),
    ]
  })
  // Unknown query parameters are ignored, because links of other sites may add them.
  return part === 'body' ? [...all, { what: 'unknown', field: 'surprise', input: { surprise: 1 } }] : all
}

let server: TestServer
let ana: Caller
let tables: string[]
/** Rows that the database contains since the first test, because no test changes them. */
let contents: string
beforeAll(async () => {
  server = await startTestServer()
  ana = await registerUser(server)
  tables = (await server.store.db.introspection.getTables()).map(({ name }) => name)
  contents = await databaseContents()
})
afterAll(() => server?.close())

/** All rows of all tables as JSON text, except the counts of sign-ins, which a timer writes later than the sign-in. */
async function databaseContents(): Promise<string> {
  const { db } = server.store
  const rows = await Promise.all(
    tables
      .filter((name) => name !== 'sign_in_days')
      .map(async (name) => {
        const found = await db
          .selectFrom(name as keyof Database)
          .selectAll()
          .execute()
        return [name, found.map((row) => JSON.stringify(row)).sort()]
      }),
  )
  return JSON.stringify(rows.sort())
}

async function expectNoChange(): Promise<void> {
  const before = contents
  contents = await databaseContents()
  expect(contents).toBe(before)
}

function request({ method, path }: Route, options: { payload?: string; query?: Record<string, unknown> }) {
  const url = `/v1${path.replaceAll(/:\w+/g, 'nothing-of-this-name')}`
  return {
    method,
    url,
    ...(options.query ? { query: options.query as Record<string, string> } : {}),
    ...(options.payload === undefined
      ? {}
      : { payload: options.payload, headers: { 'content-type': 'application/json' } }),
  } satisfies InjectOptions
}

/** A signed-in caller where the route needs one; otherwise a new browser each time, because rate limits count addresses. */
function callerFor({ needs }: Route): Caller {
  return needs === 'nobody' ? server.browser() : ana
}

test('covers the calls of the personal account', () => {
  expect(CALLS.length).toBeGreaterThan(20)
  expect(CALLS.map(({ name }) => name)).toEqual(expect.arrayContaining(['signIn.login', 'account.updateAccount']))
})

describe.each(CALLS)('$name', ({ route }) => {
  const cases = (['body', 'query'] as const).flatMap((part) => {
    const schema = route[part]
    return schema ? invalidInputs(schema as z.ZodObject, part).map((wrong) => ({ part, ...wrong })) : []
  })

  test.each(cases)('rejects $field $what with its field, and changes nothing', async ({ part, field, input, what }) => {
    const options = part === 'body' ? { payload: JSON.stringify(input) } : { query: input }
    const answer = await callerFor(route).request(request(route, options))
    expect(answer.statusCode).toBe(400)
    const { error } = answer.json()
    expect(error.code).toBe('invalid_request')
    const reported = Object.entries(error.fields as Record<string, string>).filter(
      ([path]) => path === field || path.startsWith(`${field}.`),
    )
    expect(reported.length).toBeGreaterThan(0)
    for (const [, code] of reported) expect(FIELD_CODES).toContain(code)
    if (what === 'unknown') expect(error.fields.surprise).toBe('unknown')
    if (what === 'missing') expect(error.fields[field]).toBe('required')
    await expectNoChange()
  })

  test.runIf(route.body)('rejects a body that is not an object, and changes nothing', async () => {
    for (const payload of ['[]', '"x"', '7', 'null', '{', '{"__proto__":{"a":1}}']) {
      const answer = await callerFor(route).request(request(route, { payload }))
      expect([payload, answer.statusCode, answer.json().error?.code]).toEqual([payload, 400, 'invalid_request'])
    }
    await expectNoChange()
  })
})
