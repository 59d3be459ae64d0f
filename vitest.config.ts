import { defineConfig } from 'vitest/config'

// Files share what they import: a house is opened by each, but its code is read once by a worker.
const node = (name: string, include: string[]) => ({ extends: true as const, test: { name, include, isolate: false } })

export default defineConfig({
  test: {
    pool: 'threads',
    // Two cores: more workers than that only wait for each other.
    maxWorkers: 2,
    // Passwords are hashed for real, and the machine may be busy; no test measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      node('contract', ['contract/src/**/*.test.ts']),
      node('phrases', ['phrases/src/**/*.test.ts']),
      node('server', ['server/{src,test}/**/*.test.ts']),
      node('scripts', ['scripts/**/*.test.ts']),
      node('web-build', ['web/*.test.ts', 'web/build/**/*.test.ts']),
      {
        // With the plugins of the pages: words compiled, addresses instead of schemas.
        extends: './web/vite.config.ts',
        test: { name: 'web', environment: 'jsdom', include: ['web/src/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
