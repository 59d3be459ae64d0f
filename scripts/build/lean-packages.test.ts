import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bytesLeftBy } from '../../testing/old-generation.ts'
import { leanPackages } from './lean-packages.ts'

type Query = Promise<unknown> & { resolve(value: unknown): void }
type QueryModule = { Query: new (strings: string[], args: unknown[], handler: object) => Query }

const FILE = fileURLToPath(new URL('query.js', import.meta.resolve('postgres')))

async function load(code: string): Promise<QueryModule> {
  return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

/** Bytes that an answered query of postgres.js leaves in the old generation. */
async function leftByQueries({ Query }: QueryModule): Promise<number> {
  return await bytesLeftBy(() => new Query(['select'], [], {}).resolve([]))
}

test('a query of PostgreSQL leaves nothing in the old generation, which it does as the package is published', async () => {
  const published = readFileSync(FILE, 'utf8')
  const { transform } = leanPackages() as unknown as { transform(code: string, id: string): string }
  expect(await leftByQueries(await load(published))).toBeGreaterThan(200)
  const lean = await load(transform(published, FILE))
  await expect.poll(() => leftByQueries(lean)).toBeLessThan(100)
})
