import { hash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'

/** Parameters of a script of the bundle: the names of CommonJS, and `import_` for ES modules, which a script cannot import. */
const NAMES = ['exports', 'require', 'module', '__filename', '__dirname', 'import_']
const [HEAD, TAIL] = [Buffer.from(`(function(${NAMES}){`), Buffer.from('\n})')]
type Wrapper = (...given: unknown[]) => void
type Loaded = { exports: object }

/** Scripts of the bundle that have run, by path. */
const scripts = new Map<string, Script>()
const modules = new Map<string, Loaded>()

/**
 * Loads a file of the bundle, which is next to this one, and returns its exports. V8 takes the compiled functions from the file's cache
 * instead of compiling them (decision 0128). Without a cache for this Node it compiles as usual.
 */
export function load(name: string): object {
  const known = modules.get(name)
  if (known) return known.exports
  const file = join(import.meta.dirname, name)
  const fromPackages = createRequire(file)
  const module: Loaded = { exports: {} }
  modules.set(name, module)
  const require = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : fromPackages(id))
  const run = compile(file).runInThisContext() as Wrapper
  run(module.exports, require, module, file, import.meta.dirname, (id: string) => import(id))
  return module.exports
}

/** Whether V8 has taken the functions of a loaded file from its cache. */
export function hasUsedCache(name: string): boolean {
  return scripts.get(join(import.meta.dirname, name))?.cachedDataRejected === false
}

/** Writes the caches of all scripts that have run, with the functions that V8 has compiled so far. */
export function writeCaches(): void {
  for (const [file, script] of scripts) {
    const cache = cacheOf(file)
    writeFileSync(`${cache}.part`, Buffer.concat([hashOf(readFileSync(file)), script.createCachedData()]))
    renameSync(`${cache}.part`, cache)
  }
}

/**
 * V8 checks its own version and flags, but not which build of Node has made a cache, and crashes with one of another build; and of the text it
 * compares only the length.
 */
function cacheOf(file: string): string {
  return `${file}.${BUILD}-${cachedDataVersionTag().toString(16)}.cache`
}

/** The build of Node: the same version from another place may have other libraries and options (`process.config`). */
const BUILD = hash('sha256', JSON.stringify([process.platform, process.versions, process.config])).slice(0, 16)

function compile(file: string): Script {
  const text = readFileSync(file)
  // Put together as bytes: of strings that are put together, V8 would make one more copy. The build leaves ASCII only, which V8 keeps with
  // one byte for each character.
  const script = new Script(Buffer.concat([HEAD, text, TAIL]).toString('latin1'), {
    filename: file,
    cachedData: readCache(file, text),
  })
  scripts.set(file, script)
  return script
}

function readCache(file: string, text: Buffer): Buffer | undefined {
  try {
    const cache = readFileSync(cacheOf(file))
    return hashOf(text).equals(cache.subarray(0, HASH_BYTES)) ? cache.subarray(HASH_BYTES) : undefined
  } catch {
    return undefined
  }
}

const HASH_BYTES = 32

function hashOf(text: Buffer): Buffer {
  return hash('sha256', text, 'buffer')
}
