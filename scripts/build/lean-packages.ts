import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

type Change = { file: RegExp; texts: readonly (readonly [from: string | RegExp, to: string])[] }

/** MIME types of the world, which the packages read and sort while they load: at their first use instead. */
const MIME_TYPES: Change['texts'] = [
  ["var db = require('mime-db')", "var mimeDb\nfunction db () { return (mimeDb ??= require('mime-db')) }"],
  ['populateMaps(exports.extensions, exports.types)', 'populateLater()'],
  [/\bdb\[/g, 'db()['],
  ['Object.keys(db)', 'Object.keys(db())'],
  [
    /$/,
    `
function populateLater () {
  for (const name of ['extensions', 'types']) Object.defineProperty(exports, name, { configurable: true, enumerable: true, get: () => populate()[name] })
}
function populate () {
  for (const name of ['extensions', 'types']) Object.defineProperty(exports, name, { value: Object.create(null), enumerable: true })
  populateMaps(exports.extensions, exports.types)
  return exports
}
`,
  ],
]

/** What packages do while they load or while routes are added, and the server does not need for that. */
const CHANGES: readonly Change[] = [
  { file: /[\\/]mime-types[\\/]index\.js$/, texts: MIME_TYPES },
  // Stores in databases that nobody here uses.
  {
    file: /[\\/]rate-limiter-flexible[\\/]index\.js$/,
    texts: [[/^.*$/s, "module.exports = { RateLimiterMemory: require('./lib/RateLimiterMemory') }"]],
  },
  // Makes a function from text for each part of each path.
  {
    file: /[\\/]find-my-way[\\/]lib[\\/]node\.js$/,
    texts: [['LONG_PREFIX_MIN_LENGTH = 16', 'LONG_PREFIX_MIN_LENGTH = 2']],
  },
  // Makes a function from text for each route; those with the same parameters share it now.
  {
    file: /[\\/]find-my-way[\\/]lib[\\/]handler-storage\.js$/,
    texts: [
      [
        '  _compileCreateParamsObject (params) {',
        `  _compileCreateParamsObject (params) {
    const key = params.join('\\n')
    if (!createsParams.has(key)) createsParams.set(key, this._compileCreateParamsObjectOf(params))
    return createsParams.get(key)
  }

  _compileCreateParamsObjectOf (params) {`,
      ],
      [/$/, '\nconst createsParams = new Map()\n'],
    ],
  },
]

/**
 * Changes packages in the bundle, so that the server starts with what it needs (decision 0128). Fails when a package no longer has what is to be
 * changed. Nothing else of them changes, and tests run with the packages as they are.
 */
export function leanPackages(): Plugin {
  return {
    name: 'vrata:lean-packages',
    transform(code, id) {
      const change = CHANGES.find(({ file }) => file.test(id))
      return change?.texts.reduce((text, [from, to]) => {
        const changed = text.replace(from, () => to)
        if (changed === text)
          throw new Error(`${id} has changed: ${from} is not in it. See scripts/build/lean-packages.ts.`)
        return changed
      }, code)
    },
  }
}

const CATALOG = /[\\/]phrases[\\/]src[\\/][\w-]+[\\/]catalog\.ts$/

/** Makes the phrases of a language and feature when they are first used. */
export function lazyPhrases(): Plugin {
  return {
    name: 'vrata:lazy-phrases',
    async load(id) {
      if (!CATALOG.test(id)) return null
      const { catalog } = (await import(pathToFileURL(id).href)) as { catalog: Record<string, unknown> }
      const files = Object.entries(catalog).map(
        ([file, phrases]) => `get '${file}'() { return made['${file}'] ??= ${JSON.stringify(phrases)} }`,
      )
      return { code: `const made = {}\nexport const catalog = { ${files.join(',\n')} }`, moduleType: 'js' }
    },
  }
}
