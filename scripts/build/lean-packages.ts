import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

type Change = { file: RegExp; texts: readonly (readonly [from: string | RegExp, to: string])[] }

/** JSON of a file next to the bundle, in a package. */
const readBeside = (file: string) =>
  `JSON.parse(require('node:fs').readFileSync(require('node:path').join(__dirname, '${file}'), 'utf8'))`

/** In the place of this text is the name of the file of MIME types for this version of the package. */
const MIME_DB = 'MIME_DB.json'

/** MIME types of the world, which the packages have in memory and sort while they load: read from a file at their first use instead. */
const MIME_TYPES: Change['texts'] = [
  ["var db = require('mime-db')", `var mimeDb\nfunction db () { return (mimeDb ??= ${readBeside(MIME_DB)}) }`],
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

/** Work of packages while they load or while routes are added that the server does not need. */
const CHANGES: readonly Change[] = [
  { file: /[\\/]mime-types[\\/]index\.js$/, texts: MIME_TYPES },
  // Compilers of JSON schemas, a sixth of the bundle: `createServer` gives its own, which refuse schemas.
  {
    file: /[\\/]fastify[\\/]lib[\\/]schema-controller\.js$/,
    texts: [
      ["require('@fastify/ajv-compiler')", 'noCompiler'],
      ["require('@fastify/fast-json-stringify-compiler')", 'noCompiler'],
      [/$/, "\nfunction noCompiler () { throw new Error('The bundle has no compilers of JSON schemas.') }\n"],
    ],
  },
  // HTTP/2, which the server does not speak: 0.7 MB and some 4 ms of CPU time (decision 0130).
  {
    file: /[\\/]fastify[\\/]lib[\\/]server\.js$/,
    texts: [["const http2 = require('node:http2')", 'let http2']],
  },
  // Binds the hooks of a server once more for each of its routes; those without hooks of their own share them now.
  {
    file: /[\\/]fastify[\\/]lib[\\/]route\.js$/,
    texts: [
      [
        `const toSet = this[kHooks][hook]
              .concat(opts[hook] || [])
              .map(h => h.bind(this))`,
        'const toSet = boundHooks(this, this[kHooks][hook], opts[hook])',
      ],
      [
        /$/,
        `
const known = new WeakMap()
function boundHooks (server, hooks, own) {
  if (own) return hooks.concat(own).map(h => h.bind(server))
  if (known.get(hooks)?.length !== hooks.length) known.set(hooks, hooks.map(h => h.bind(server)))
  return known.get(hooks)
}
`,
      ],
    ],
  },
  // Loads what each of 350 routes registers in one run of the queue of `process.nextTick`. V8 takes the loop of that queue for hot and loads its
  // second compiler, which stays: 6 MB (decision 0130). Every fiftieth begins another run. And nobody asks for the times that each of them took.
  {
    file: /[\\/]avvio[\\/]index\.js$/,
    texts: [
      ['this._trackPluginLoading(plugin)', ''],
      [
        'process.nextTick(this._loadPlugin.bind(this), plugin, callback)',
        'nextRun()(this._loadPlugin.bind(this), plugin, callback)',
      ],
      [/$/, '\nlet loaded = 0\nconst nextRun = () => (++loaded % 50 ? process.nextTick : setImmediate)\n'],
    ],
  },
  // V8 makes a function in the old generation when it is written where it is assigned to a property. These two kept each query and its rows
  // there until a full collection, 3 KB for each (decision 0130).
  {
    file: /[\\/]postgres[\\/]src[\\/]query\.js$/,
    texts: [
      ['this.resolve = x =>', 'const resolved = x =>'],
      ['this.reject = x =>', 'const rejected = x =>'],
      ['this.cancelled = null', 'this.resolve = resolved\n    this.reject = rejected\n    this.cancelled = null'],
    ],
  },
  // The same of each transaction.
  {
    file: /[\\/]postgres[\\/]src[\\/]index\.js$/,
    texts: [
      ['sql.prepare = x =>', 'const prepares = x =>'],
      ['let uncaughtError', 'sql.prepare = prepares\n      let uncaughtError'],
      ['c.reserved = () => queries.length', 'const next = () => queries.length'],
      [': move(c, reserved)\n    }', ': move(c, reserved)\n      c.reserved = next\n    }'],
    ],
  },
  // Connections that are open, or work, are shifted from a queue and pushed to one for each statement. It keeps a place for each that was shifted
  // until it is empty, and looks through them for each statement: a server whose connections are never all free, or never all at work, became
  // slower with each statement and kept eight bytes of it.
  {
    file: /[\\/]postgres[\\/]src[\\/]queue\.js$/,
    texts: [
      ['let xs = initial.slice()\n  let index = 0', 'const xs = initial.slice()'],
      ['return xs.length - index', 'return xs.length'],
      [/const out = xs\[index\+\+\][\s\S]*return out/, 'return xs.shift()'],
    ],
  },
  // Makes a function from text for each part of each path.
  {
    file: /[\\/]find-my-way[\\/]lib[\\/]node\.js$/,
    texts: [
      ['LONG_PREFIX_MIN_LENGTH = 16', 'LONG_PREFIX_MIN_LENGTH = 2'],
      // Compares a prefix with each earlier one, character by character.
      [
        'let i = 1\n      for (; i',
        'let i = path.startsWith(staticChild.prefix) ? staticChild.prefix.length : 1\n      for (; i',
      ],
    ],
  },
  // Makes two functions from text for each route. Those with the same parameters share the first, which is made for the first request. The second is for
  // routes with constraints, such as versions, of which the server has none: it would be made when it is called.
  {
    file: /[\\/]find-my-way[\\/]lib[\\/]handler-storage\.js$/,
    texts: [
      [
        '  _compileCreateParamsObject (params) {',
        `  _compileCreateParamsObject (params) {
    const key = params.join('\\n')
    if (!createsParams.has(key)) createsParams.set(key, atFirstCall(() => this._compileCreateParamsObjectOf(params)))
    return createsParams.get(key)
  }

  _compileCreateParamsObjectOf (params) {`,
      ],
      [
        'this._compileGetHandlerMatchingConstraints(constrainer, constraints)',
        'this._constrainer = constrainer\n      this._getHandlerMatchingConstraints = compileAndMatch',
      ],
      [
        /$/,
        `
const createsParams = new Map()
function atFirstCall (make) {
  let made
  return (...values) => (made ??= make())(...values)
}
function compileAndMatch (derivedConstraints) {
  this._compileGetHandlerMatchingConstraints(this._constrainer)
  return this._getHandlerMatchingConstraints(derivedConstraints)
}
`,
      ],
    ],
  },
]

/**
 * Changes packages in the bundle, so that the server starts with what it needs (decision 0128). Fails when a package no longer has what is to be
 * changed. Nothing else of them changes, and tests run with the packages as they are.
 */
export function leanPackages(): Plugin {
  const unseen = new Set(CHANGES)
  return {
    name: 'vrata:lean-packages',
    transform(code, id) {
      const change = CHANGES.find(({ file }) => file.test(id))
      if (change) unseen.delete(change)
      const changed = change?.texts.reduce((text, [from, to]) => {
        const changed = text.replace(from, () => to)
        if (changed === text)
          throw new Error(`${id} has changed: ${from} is not in it. See scripts/build/lean-packages.ts.`)
        return changed
      }, code)
      if (!changed?.includes(MIME_DB)) return changed
      const db = createRequire(id).resolve('mime-db/db.json')
      const { version } = JSON.parse(readFileSync(`${dirname(db)}/package.json`, 'utf8')) as { version: string }
      const fileName = `mime-db-${version}.json`
      this.emitFile({ type: 'asset', fileName, source: readFileSync(db, 'utf8') })
      return changed.replaceAll(MIME_DB, fileName)
    },
    buildEnd(error) {
      const [missing] = unseen
      if (!error && missing)
        throw new Error(`${missing.file} is not in the bundle. See scripts/build/lean-packages.ts.`)
    },
  }
}

const CATALOG = /[\\/]phrases[\\/]src[\\/][\w-]+[\\/]catalog\.ts$/

/** Reads the phrases of a language and feature from a file next to the bundle when they are first used. */
export function lazyPhrases(): Plugin {
  return {
    name: 'vrata:lazy-phrases',
    async load(id) {
      if (!CATALOG.test(id)) return null
      const { catalog } = (await import(pathToFileURL(id).href)) as { catalog: Record<string, unknown> }
      const folder = `phrases/${basename(dirname(id))}`
      for (const [file, phrases] of Object.entries(catalog))
        this.emitFile({ type: 'asset', fileName: `${folder}/${file}.json`, source: JSON.stringify(phrases) })
      const files = Object.keys(catalog).map(
        (file) => `get '${file}'() { return known['${file}'] ??= read('${file}') }`,
      )
      const code = `import { readFileSync } from 'node:fs'
        import { join } from 'node:path'
        const known = {}
        const read = (file) => JSON.parse(readFileSync(join(import.meta.dirname, '${folder}', file + '.json'), 'utf8'))
        export const catalog = { ${files.join(',\n')} }`
      return { code, moduleType: 'js' }
    },
  }
}
