import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Uses `src/lib/loading/preload-files.ts` in the place of Vite's own code around `import()`. That is three times as large, for style
 * sheets of single files, nonces and browsers without `modulepreload`, none of which these pages have.
 */
export function preloadFiles(): Plugin {
  return {
    name: 'vrata:preload-files',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => join(import.meta.dirname, '../src/lib/loading/preload-files.ts'),
    },
  }
}
