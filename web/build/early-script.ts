import { join } from 'node:path'
import { build } from 'vite'

const ENTRY = join(import.meta.dirname, '../src/early.ts')

/** The inline script of every document (`src/early.ts`), minified. */
export async function earlyScript(): Promise<string> {
  const [built] = [
    await build({
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      build: { write: false, lib: { entry: ENTRY, formats: ['iife'], name: 'early' } },
    }),
  ].flat()
  const chunk = built && 'output' in built ? built.output[0] : undefined
  if (!chunk) throw new Error('The inline script of the documents was not built.')
  return chunk.code.trim()
}
