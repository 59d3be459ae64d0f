import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clients } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

/** Compares the documentation for developers with the server. */
const DOCS = join(import.meta.dirname, '../../docs/developers')
type Discovery = Record<string, string[]>

let server: TestServer
let discovery: Discovery
beforeAll(async () => {
  server = await startTestServer()
  discovery = (await server.app.inject('/.well-known/openid-configuration')).json()
})
afterAll(() => server.close())

/** Cells of the rows of a table on a page; `what` is the first cell of its head. */
async function table(page: string, what: string): Promise<string[][]> {
  const text = await readFile(join(DOCS, `${page}.md`), 'utf8')
  const [, rows = ''] = text.split(new RegExp(`\\| ${what} \\|.*\\n\\|[-|]+\\n`))
  const lines = rows.split('\n')
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}

test('lists exactly the endpoints of the discovery document', async () => {
  const documented = (await table('endpoints', 'Endpoint')).map(([, address]) => server.config.url + address)
  const endpoints = Object.entries(discovery).flatMap(([name, value]) =>
    /_endpoint$|^jwks_uri$/.test(name) ? [String(value)] : [],
  )
  const published = [...endpoints, `${server.config.url}/.well-known/openid-configuration`]
  expect(documented.sort()).toEqual(published.sort())
})

test('endpoints support the documented methods', async () => {
  for (const [, url = '', methods = ''] of await table('endpoints', 'Endpoint')) {
    for (const method of methods.split(', ') as 'GET'[]) {
      const { statusCode } = await server.app.inject({ method, url })
      expect([method, url, statusCode]).not.toEqual([method, url, 404])
      expect([method, url, statusCode]).not.toEqual([method, url, 405])
    }
  }
})

test('lists what the discovery document declares as supported', async () => {
  const documented = new Map(
    (await table('endpoints', 'What')).map(([what = '', values = '']) => [what, values.split(', ')]),
  )
  expect(Object.fromEntries(documented)).toEqual({
    'Response types': discovery.response_types_supported,
    'Response modes': discovery.response_modes_supported,
    'Grant types': discovery.grant_types_supported,
    'PKCE methods': discovery.code_challenge_methods_supported,
    Prompts: discovery.prompt_values_supported,
    'Signatures of ID tokens, signed responses, user info and introspection':
      discovery.id_token_signing_alg_values_supported,
    'Signatures of client assertions, requests and DPoP proofs':
      discovery.token_endpoint_auth_signing_alg_values_supported,
    'Subject types': discovery.subject_types_supported,
    Languages: discovery.ui_locales_supported,
  })
  const methods = (await table('endpoints', 'Method')).flatMap(([method = '']) => method.split(', '))
  // Discovery lists certificates only where the operator has enabled them.
  expect(methods.sort()).toEqual([...clients.AUTH_METHODS].sort())
  expect(methods).toEqual(expect.arrayContaining(discovery.token_endpoint_auth_methods_supported ?? []))
})

test('lists every scope and claim', async () => {
  const scopes = (await table('scopes', 'Scope')).map(([scope]) => scope)
  expect(scopes).toEqual(discovery.scopes_supported)
  const claims = (await table('claims', 'Claim')).map(([claim]) => claim)
  const inIdToken = ['auth_time', 'acr', 'amr', 'iss', 'sid']
  expect(claims).toEqual(discovery.claims_supported?.filter((claim) => !inIdToken.includes(claim)))
})
