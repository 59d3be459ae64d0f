import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { compileAll } from '@vrata/phrases/compile'
import type { Plugin } from 'vite'

const FILE = /[\\/]phrases[\\/]src[\\/](?:en-US|sl-SI|hr-HR)[\\/](\w+)\.ts$/

/**
 * Turns every file of sentences into compiled data, so that no parser of ICU reaches the browser (frontend.md §6). A
 * sentence that is not valid stops the build and names its key.
 */
export function phrases(): Plugin {
  return {
    name: 'vrata:phrases',
    enforce: 'pre',
    async load(id) {
      const slice = FILE.exec(id)?.[1]
      if (!slice || slice === 'catalogue') return null
      const version = Math.round((await stat(id)).mtimeMs)
      const file = (await import(`${pathToFileURL(id).href}?v=${version}`)) as Record<string, object>
      const compiled = compileAll(file[slice] as Record<string, string>)
      return { code: `export const ${slice} = ${JSON.stringify(compiled)}`, moduleType: 'js', map: null }
    },
  }
}
