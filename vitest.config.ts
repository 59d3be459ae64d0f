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

export default defineConfig({
  test: {
    pool: 'threads',
    maxWorkers: WORKERS,
    sequence: { sequencer: LongFilesFirst },
    ...TIMEOUTS,
    projects: [
      {
        // The test files of a worker share imported modules (`isolate: false`). Each project has workers of its own, so there is one.
        extends: true,
        test: {
          name: 'node',
          include: [
            '{contract,phrases}/src/**/*.test.ts',
            '{server,scripts,e2e}/**/*.test.ts',
            'web/{*,build/**/*}.test.ts',
          ],
          isolate: false,
        },
      },
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
