import { FIELD_CODES, type Route } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Database } from '../src/db/schema.ts'
import { type Caller, type House, openHouse } from './house.ts'
import { newcomer } from './newcomer.ts'

/**
 * Issue 3, "Bad input on every call: the field's name and code, nothing changed". What is wrong is made from the contract:
 * every field of every body and query of the personal account, missing, of another kind, too long, unknown.
 */
const PERSONAL = /^(?:account|activity|auth|security|privacy|connections)\./
const CALLS = [...ROUTES]
  .filter(([name, { body, query }]) => PERSONAL.test(name) && (body || query))
  .map(([name, route]) => ({ name, route }))

/** A value that is never right for a field of this JSON type. */
const OTHERS: Record<string, unknown> = {
  string: { text: 'x' },
  boolean: 'yes',
  integer: 'many',
  number: 'many',
  array: 7,
  object: 'x',
  null: 'x',
}
/** More than any field takes, and less than a body may have. */
const TOO_LONG = 'a'.repeat(20_000)

type Wrong = { what: string; field: string; input: Record<string, unknown> }
type Described = { type?: string; enum?: unknown[]; anyOf?: Described[] }

/** Everything that can be wrong with one object of fields. */
function wrongs(schema: z.ZodObject, part: 'body' | 'query'): Wrong[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Described>
    required?: string[]
  }
  const all = Object.entries(properties).flatMap(([field, described]): Wrong[] => {
    const types = (described.anyOf ?? [described]).flatMap(({ type }) => type ?? [])
    const other = types.length === 1 ? OTHERS[types[0] as string] : { neither: true }
    return [
      // Everything in a query is text.
      ...(part === 'body' ? [{ what: 'of another kind', field, input: { [field]: other } }] : []),
      ...(types.includes('string') ? [{ what: 'too long', field, input: { [field]: TOO_LONG } }] : []),
      ...(required.includes(field) ? [{ what: 'missing', field, input: {} }] : []),
    ]
  })
  // Other people's links carry parameters of their own; bodies carry none.
  return part === 'body' ? [...all, { what: 'unknown', field: 'surprise', input: { surprise: 1 } }] : all
}

let house: House
let ana: Caller
beforeAll(async () => {
  house = await openHouse()
  ana = await newcomer(house)
})
afterAll(() => house?.close())

/** All that the house remembers, as one text; without what it counts of visits. */
async function everything(): Promise<string> {
  const { db } = house.store
  const tables = await db.introspection.getTables()
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await db
        .selectFrom(name as keyof Database)
        .selectAll()
        .execute()
      return [name, found.map((row) => JSON.stringify(row)).sort()]
    }),
  )
  return JSON.stringify(rows.sort())
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

/** By somebody signed in where that is needed; else each time by another visitor, so that no address asks for too much. */
function asker({ needs }: Route): Caller {
  return needs === 'nobody' ? house.visitor() : ana
}

test('the calls are those of the personal account', () => {
  expect(CALLS.length).toBeGreaterThan(20)
  expect(CALLS.map(({ name }) => name)).toEqual(expect.arrayContaining(['auth.login', 'account.updateAccount']))
})

describe.each(CALLS)('issue 3 $name', ({ route }) => {
  const cases = (['body', 'query'] as const).flatMap((part) => {
    const schema = route[part]
    return schema ? wrongs(schema as z.ZodObject, part).map((wrong) => ({ part, ...wrong })) : []
  })

  test.each(cases)(
    '$field $what is told by its name, and nothing has changed',
    async ({ part, field, input, what }) => {
      const before = await everything()
      const options = part === 'body' ? { payload: JSON.stringify(input) } : { query: input }
      const answer = await asker(route).request(request(route, options))
      expect(answer.statusCode).toBe(400)
      const { error } = answer.json()
      expect(error.code).toBe('invalid_request')
      const told = Object.entries(error.fields as Record<string, string>).filter(
        ([path]) => path === field || path.startsWith(`${field}.`),
      )
      expect(told.length).toBeGreaterThan(0)
      for (const [, code] of told) expect(FIELD_CODES).toContain(code)
      if (what === 'unknown') expect(error.fields.surprise).toBe('unknown')
      if (what === 'missing') expect(error.fields[field]).toBe('required')
      expect(await everything()).toBe(before)
    },
  )

  test.runIf(route.body)('a body that is no object changes nothing either', async () => {
    const before = await everything()
    for (const payload of ['[]', '"x"', '7', 'null', '{', '{"__proto__":{"a":1}}']) {
      const answer = await asker(route).request(request(route, { payload }))
      expect([payload, answer.statusCode, answer.json().error?.code]).toEqual([payload, 400, 'invalid_request'])
    }
    expect(await everything()).toBe(before)
  })
})
