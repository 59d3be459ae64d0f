// A server without pages in a process of its own, for tests that end it; settings are environment variables.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { BUNDLE } from './programs-under-test.ts'

type Main = Pick<typeof import('../../src/main.ts'), 'readConfig' | 'serve'>

try {
  const { readConfig, serve }: Main = BUNDLE
    ? createRequire(import.meta.url)(join(BUNDLE, 'server.js'))
    : await import('../../src/main.ts')
  await serve(readConfig(process.env), { pages: false })
} catch (error) {
  const { failureSentence } = await import('../../src/commands/failure.ts')
  process.stderr.write(`${failureSentence(error) ?? error}\n`)
  process.exit(1)
}
