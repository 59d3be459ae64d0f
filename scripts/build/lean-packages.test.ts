import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fewestBytesLeftBy } from '../../testing/old-generation.ts'
import { leanPackages } from './lean-packages.ts'

type Query = Promise<unknown> & { resolve(value: unknown): void }
type Router = {
  on(method: string, path: string, options: object, handler: () => void): void
  find(method: string, path: string, constraints?: object): { handler: { name: string }; params: object } | null
}
type Queue = {
  readonly length: number
  push(value: number): number
  shift(): number | undefined
  remove(value: number): number | null
}
type QueueModule = { default: (initial?: number[]) => Queue }
type QueryModule = { Query: new (strings: string[], args: unknown[], handler: object) => Query }

const require = createRequire(import.meta.url)

const FILE = fileURLToPath(new URL('query.js', import.meta.resolve('postgres')))
const QUEUE = fileURLToPath(new URL('queue.js', import.meta.resolve('postgres')))

async function load<Module = QueryModule>(code: string): Promise<Module> {
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

describe('the queue of connections of PostgreSQL', () => {
  const published = readFileSync(QUEUE, 'utf8')
  const codes = [published, changed(published, QUEUE)]

  test('answers as the published one does', async () => {
    const answers = []
    for (const code of codes) {
      const { default: queueOf } = await load<QueueModule>(code)
      const queue = queueOf([1, 2, 3])
      answers.push(
        Array.from({ length: 2000 }, (_, n) => {
          const choice = (n * 7919) % 100
          if (choice < 45) return [queue.push(n % 50), queue.length]
          // The driver shifts only from a queue that is not empty.
          if (choice < 80) return [queue.length > 0 && queue.shift(), queue.length]
          return [queue.remove((n * 31) % 50), queue.length]
        }),
      )
    }
    expect(answers[1]).toEqual(answers[0])
  })

  test('looks through its connections only, also when it is never empty, which the published one does not', async () => {
    const most = []
    for (const code of codes) {
      const { default: queueOf } = await load<QueueModule>(code)
      const queue = queueOf([1, 2, 3])
      const seen = lengthsSeenByIndexOf()
      // Simulates a statement: a connection is taken, and is in another queue when it is removed from this one.
      for (let statements = 0; statements < 1000; statements += 1) {
        const connection = queue.shift() as number
        queue.remove(connection)
        queue.push(connection)
      }
      most.push(Math.max(...seen.end()))
    }
    expect(most).toEqual([1002, 2])
  })
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

function lengthsSeenByIndexOf(): { end(): number[] } {
  const lengths: number[] = []
  const { indexOf } = Array.prototype
  const spy = vi.spyOn(Array.prototype, 'indexOf').mockImplementation(function (this: unknown[], ...given) {
    lengths.push(this.length)
    return indexOf.apply(this, given)
  })
  return {
    end() {
      spy.mockRestore()
      return lengths
    },
  }
}

/** A file of a package as the bundle has it. */
function changed(code: string, id: string): string {
  const { transform } = leanPackages() as unknown as { transform(code: string, id: string): string }
  return transform(code, id)
}
