import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { compileAll } from '@vrata/phrases/compile'
import type { Plugin } from 'vite'

const FILE = /[\\/]phrases[\\/]src[\\/](?:en-US|sl-SI|hr-HR)[\\/]([\w-]+)\.ts$/

/**
 * Compiles phrase files to data at build time, so that no ICU parser reaches the browser (pages §6). An invalid phrase
 * stops the build and is named.
 */
export function phrases(): Plugin {
  return {
    name: 'vrata:phrases',
    enforce: 'pre',
    async load(id) {
      const name = FILE.exec(id)?.[1]
      if (!name || name === 'catalog') return null
      const version = Math.round((await stat(id)).mtimeMs)
      const file = (await import(`${pathToFileURL(id).href}?v=${version}`)) as Record<string, object>
      const [sentences] = Object.values(file)
      const compiled = compileAll(sentences as Record<string, string>)
      return { code: `export const phrases = ${JSON.stringify(compiled)}`, moduleType: 'js', map: null }
    },
  }
}
