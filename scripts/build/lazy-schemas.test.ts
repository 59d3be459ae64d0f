import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Route } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../run-command.ts'
import { lazySchemas } from './lazy-schemas.ts'

const PARTS = ['params', 'query', 'body', 'data'] as const
let folder: string
let bundled: ReadonlyMap<string, Route>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vrata-schemas-'))
  const input = { routes: join(ROOT, 'contract/src/routes.ts') }
  await build({ input, plugins: [lazySchemas()], output: { dir: folder, entryFileNames: '[name].mjs' } })
  bundled = ((await import(pathToFileURL(join(folder, 'routes.mjs')).href)) as { ROUTES: typeof bundled }).ROUTES
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('calls in the bundle (decision 0128)', () => {
  test('have no schema before one is used', () => {
    for (const [name, route] of bundled)
      for (const part of PARTS.filter((part) => part in route))
        expect(Object.getOwnPropertyDescriptor(route, part), name).toMatchObject({ get: expect.any(Function) })
  })

  test('are the calls of the contract', () => {
    expect([...bundled.keys()].sort()).toEqual([...ROUTES.keys()].sort())
    for (const [name, route] of ROUTES) expect(described(bundled.get(name)), name).toEqual(described(route))
  })

  test('make a schema once', () => {
    for (const [name, route] of bundled) for (const part of PARTS) expect(route[part], name).toBe(route[part])
  })
})

/** A call with its schemas as JSON. */
function described(route: Route | undefined) {
  const schemas = PARTS.map((part) => [part, route?.[part] && jsonSchema(route[part])])
  return { ...route, ...Object.fromEntries(schemas) }
}

function jsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}
