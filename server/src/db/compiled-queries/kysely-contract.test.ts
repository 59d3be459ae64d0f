import { readFileSync } from 'node:fs'
import type { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeHandle } from './handle.ts'
import { prepare, prepareInsert } from './prepare.ts'

/** Handles that record the queries they are given instead of running them. */
function recorder(engine: 'sqlite' | 'postgres') {
  const queries: CompiledQuery[] = []
  const db = makeHandle(engine, async (query) => {
    queries.push(query)
    return { rows: [] }
  })
  return { db, queries }
}

test('the required version of Kysely is the one that the contract of handle.ts was checked with', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(dependencies.kysely).toMatch(/^0\.29\.\d+$/)
})

describe.each(['sqlite', 'postgres'] as const)('the internals of Kysely that compiled queries use on %s', (engine) => {
  const place = engine === 'sqlite' ? () => '?' : (n: number) => `$${n}`

  test('compile() keeps values that are not primitives, in the order of their placeholders', () => {
    const { db } = recorder(engine)
    const [first, second] = [{ one: 1 }, { two: 2 }]
    const query = db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', first as never)
      .where('value', '=', second as never)
      .compile()
    expect(query.parameters[0]).toBe(first)
    expect(query.parameters[1]).toBe(second)
    expect(query.sql).toBe(`select "value" from "settings" where "key" = ${place(1)} and "value" = ${place(2)}`)
  })

  test('executeQuery() hands a compiled query with other parameters to the connection, once and as it is', async () => {
    const { db, queries } = recorder(engine)
    const compiled = db.selectFrom('settings').select('value').where('key', '=', 'a').compile()
    await db.executeQuery({ ...compiled, parameters: ['b'] })
    expect(queries).toEqual([{ ...compiled, parameters: ['b'] }])
  })

  test('a prepared query sends the same SQL and parameters as the query that is built each time', async () => {
    const { db, queries } = recorder(engine)
    const build = (handle: typeof db, { key, value }: { key: string; value: string }) =>
      handle
        .selectFrom('settings')
        .selectAll()
        .where('key', '>', key)
        .where('value', '=', value)
        .orderBy('key')
        .limit(3)
    const prepared = prepare(build)
    for (const params of [
      { key: 'a', value: 'x' },
      { key: 'b', value: 'y' },
    ]) {
      await build(db, params).execute()
      await prepared.rows(db, params)
    }
    const sent = queries.map(({ sql, parameters }) => ({ sql, parameters }))
    expect(sent[1]).toEqual(sent[0])
    expect(sent[3]).toEqual(sent[2])
  })

  test('a prepared insert sends the same SQL and parameters as one that is built each time', async () => {
    const { db, queries } = recorder(engine)
    const rows = [
      { key: 'a', value: 'x' },
      { key: 'b', value: 'y' },
    ]
    await db.insertInto('settings').values(rows).execute()
    await prepareInsert('settings')(db, ...rows)
    const sent = queries.map(({ sql, parameters }) => ({ sql, parameters }))
    expect(sent[1]).toEqual(sent[0])
  })
})

test.each([
  ['sqlite', 'select "value" from "settings" where "key" > ? limit 5', ['a']],
  ['postgres', 'select "value" from "settings" where "key" > $1 limit $2', ['a', 5]],
] as const)('a limit on %s', (engine, sql, parameters) => {
  const { db } = recorder(engine)
  const query = db.selectFrom('settings').select('value').where('key', '>', 'a').limit(5).compile()
  expect(query).toMatchObject({ sql, parameters })
})
