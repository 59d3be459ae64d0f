import { expect, test } from 'vitest'
import { ROUTES } from '../routes.ts'
import { openapi } from './openapi.ts'

const document = openapi('http://localhost:3000', '0.0.0', 'vrata_access') as {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, unknown>; security: unknown[] }>
  >
}

test('every call of the contract stands in the OpenAPI document, under its own name', () => {
  const named = Object.values(document.paths).flatMap((path) => Object.values(path).map((call) => call.operationId))
  expect(named.sort()).toEqual([...ROUTES.keys()].sort())
})

test('no two calls share a method and a path', () => {
  const addresses = [...ROUTES.values()].map((route) => `${route.method} ${route.path.replace(/:[a-z_]+/g, ':')}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('a call that needs a session says so, and tells of the 401', () => {
  const account = document.paths['/account']?.get
  expect(account?.security).toEqual([{ access: [] }])
  expect(account?.responses).toHaveProperty('401')
  expect(document.paths['/auth/login']?.post?.security).toEqual([])
})

test('path parameters are those that the path names', () => {
  for (const [name, route] of ROUTES) {
    const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1])
    expect(Object.keys(route.params?.shape ?? {}), name).toEqual(inPath)
  }
})
