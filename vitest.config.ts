import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongFilesFirst } from './scripts/suites/long-files-first.ts'

/**
 * For two cores: a worker sometimes waits for other processes. Each one loads and compiles everything again, and small parts of
 * `npm test` take what three leave (decision 0003). Projects that run together must have the same number.
 */
const WORKERS = 3

/** For machines that do something else, too. */
const TIMEOUTS = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Shorter than the periods after which servers find out what a lost signal should have told them: 30 and 60 seconds.
  expect: { poll: { timeout: 25_000 } },
}

// `isolate: false`: the test files of a worker share imported modules, so each module is evaluated once per worker.
const node = (name: string, include: string[]) => ({ extends: true as const, test: { name, include, isolate: false } })

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: WORKERS,
    sequence: { sequencer: LongFilesFirst },
    ...TIMEOUTS,
    projects: [
      node('contract', ['contract/src/**/*.test.ts']),
      node('phrases', ['phrases/src/**/*.test.ts']),
      node('server', ['server/{src,test}/**/*.test.ts']),
      node('scripts', ['{scripts,e2e/conformance}/**/*.test.ts']),
      node('web-build', ['web/*.test.ts', 'web/build/**/*.test.ts']),
      {
        // The plugins of the pages compile phrases and replace schemas by addresses. One jsdom per worker, not per file.
        extends: './web/vite.config.ts',
        test: {
          ...TIMEOUTS,
          name: 'web',
          environment: 'jsdom',
          setupFiles: [join(import.meta.dirname, 'web/testing-library.ts')],
          isolate: false,
          maxWorkers: WORKERS,
          include: ['web/src/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
