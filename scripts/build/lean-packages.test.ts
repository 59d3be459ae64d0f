import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { fewestBytesLeftBy } from '../../testing/old-generation.ts'
import { leanPackages } from './lean-packages.ts'

type Query = Promise<unknown> & { resolve(value: unknown): void }
type Router = {
  on(method: string, path: string, options: object, handler: () => void): void
  find(method: string, path: string, constraints?: object): { handler: { name: string }; params: object } | null
}
type QueryModule = { Query: new (strings: string[], args: unknown[], handler: object) => Query }

const require = createRequire(import.meta.url)

const FILE = fileURLToPath(new URL('query.js', import.meta.resolve('postgres')))

async function load(code: string): Promise<QueryModule> {
  return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

/** Bytes that an answered query of postgres.js leaves in the old generation. */
async function leftByQueries({ Query }: QueryModule): Promise<number> {
  return await fewestBytesLeftBy(() => new Query(['select'], [], {}).resolve([]))
}

test('a query of PostgreSQL leaves nothing in the old generation, which it does as the package is published', async () => {
  const published = readFileSync(FILE, 'utf8')
  expect(await leftByQueries(await load(published))).toBeGreaterThan(200)
  const lean = await load(changed(published, FILE))
  expect(await leftByQueries(lean)).toBeLessThan(100)
})

test('the router finds routes with parts in common, parameters and constraints as the published one does', () => {
  const published = dirname(require.resolve('find-my-way'))
  const folder = mkdtempSync(join(tmpdir(), 'vrata-router-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const copy = join(folder, 'find-my-way')
  cpSync(published, copy, { recursive: true })
  symlinkSync(dirname(published), join(folder, 'node_modules'))
  for (const file of ['lib/node.js', 'lib/handler-storage.js'])
    writeFileSync(join(copy, file), changed(readFileSync(join(copy, file), 'utf8'), join(copy, file)))
  const found = [published, copy].map((from) => {
    const router: Router = require(from)()
    for (const path of ['/accounts', '/account', '/acc', '/account/:id', '/account/:id/keys/:key', '/acts/:id', '/*'])
      router.on('GET', path, {}, { [path]: () => {} }[path] as () => void)
    router.on('GET', '/account', { constraints: { version: '1.2.0' } }, function versioned() {})
    const paths = ['/', '/a', '/acc', '/acco', '/account', '/accounts', '/account/7', '/account/7/keys/8', '/acts/9']
    return [undefined, { version: '1.x' }, { version: '2.x' }].flatMap((constraints) =>
      paths.map((path) => {
        const route = router.find('GET', path, constraints)
        return [path, route?.handler.name, { ...route?.params }]
      }),
    )
  })
  expect(found[0]).toContainEqual(['/account/7/keys/8', '/account/:id/keys/:key', { id: '7', key: '8' }])
  expect(found[0]).toContainEqual(['/account', 'versioned', {}])
  expect(found[1]).toEqual(found[0])
})

/** A file of a package as the bundle has it. */
function changed(code: string, id: string): string {
  const { transform } = leanPackages() as unknown as { transform(code: string, id: string): string }
  return transform(code, id)
}
