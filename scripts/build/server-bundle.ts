import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprintOf } from '../../web/build/fingerprint.ts'
import { ROOT, runCommand } from '../run-command.ts'
import { lazySchemas } from './lazy-schemas.ts'
import { lazyPhrases, leanPackages } from './lean-packages.ts'

const OUT = join(ROOT, 'server/dist')
const STAMP = join(OUT, 'stamp')
const LOADER = 'load.js'
/** Entry file of the bundled server. */
export const SERVER = join(OUT, 'cli.js')
/** The same server as a module, for journeys, which start many in one process. */
export const SERVER_MODULE = join(OUT, 'server.js')

/**
 * Flags of Node for a server: V8 keeps its heap small (decision 0130), and begins no full collection before the first answer (decision
 * 0128). The release has them in `bin/vrata`, which image and unit start.
 */
export const SERVER_FLAGS = ['--min-semi-space-size=2', '--max-semi-space-size=4', '--max-old-space-size=1024']
/**
 * Environment of a server. For libuv: as many threads for files and names as hash at most (`THREADS`), and as many more. For the allocator of the
 * package that hashes: memory when it is used, instead of 2 MB at the start. For the C library: two heaps, one of them for all other threads;
 * a fixed size from which on the end of a heap goes back to the system, which otherwise rises to that of the first large block; and the size of
 * a block, that of the compilers of V8, which goes back as soon as it is freed (decision 0130).
 */
export const SERVER_ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '8',
  MIMALLOC_EAGER_COMMIT: '0',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '32768',
}

/** Packages with native code, which the bundle loads from node_modules. */
export const NATIVE_PACKAGES = ['@node-rs/argon2', 'sharp']

const SOURCES = [
  'server/src/**',
  'contract/src/**',
  'phrases/src/**',
  'scripts/build/{server-bundle,load-bundle,lean-packages,lazy-schemas,write-caches}.ts',
  'web/build/is-plain.ts',
  'package-lock.json',
]

/**
 * Bundles the server into a few JavaScript files if its sources have changed, and makes the caches with which it starts (decision
 * 0128). The check does not load the bundler.
 */
export async function ensureServer(): Promise<void> {
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === (await fingerprintOf(ROOT, SOURCES))) return
  console.log('Building the server …')
  // In a separate process, so that the memory of the bundler is released.
  const { code } = await runCommand(process.execPath, [import.meta.filename], { stream: true })
  if (code !== 0) throw new Error('The build of the server failed; see the output above.')
}

async function bundle(): Promise<void> {
  const { build } = await import('rolldown')
  const stamp = await fingerprintOf(ROOT, SOURCES)
  await rm(OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await build({
    // The server as a program and as a module, what loads them, and the child process that renders pictures.
    input: {
      program: join(ROOT, 'server/src/cli.ts'),
      module: join(ROOT, 'server/src/main.ts'),
      load: join(import.meta.dirname, 'load-bundle.ts'),
      'render-picture': join(ROOT, 'server/src/adapters/media/render-picture.ts'),
    },
    platform: 'node',
    plugins: [leanPackages(), lazyPhrases(), lazySchemas()],
    // Native packages are loaded from node_modules.
    external: NATIVE_PACKAGES,
    transform: { target: 'node24' },
    // An unresolved import, or one of what a module does not export, would otherwise fail only at run time.
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT' || log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message)
      report(level, log)
    },
    // depd, a transitive dependency of oidc-provider, uses eval.
    checks: { eval: false },
    output: {
      dir: OUT,
      // V8 takes compiled functions from a file for scripts, not for ES modules.
      format: 'cjs',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // oidc-provider identifies its models by their class names.
      keepNames: true,
      minify: { mangle: false, compress: { keepNames: { class: true, function: true } } },
    },
  })
  const { parseAst } = await import('rolldown/parseAst')
  for (const name of (await readdir(OUT)).filter((one) => one.endsWith('.js'))) {
    const code = await readFile(join(OUT, name), 'utf8')
    await writeFile(join(OUT, name), inAscii(name === LOADER ? code : withImport(code, parseAst(code))))
  }
  await writeFile(join(OUT, 'package.json'), '{ "type": "commonjs" }\n')
  await writeFile(SERVER, "require('./load.js').load('program.js')\n")
  await writeFile(SERVER_MODULE, "module.exports = require('./load.js').load('module.js')\n")
  await copyFile(join(ROOT, 'contract/src/passwords/common-passwords.bin'), join(OUT, 'common-passwords.bin'))
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'write-caches.ts'), OUT], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The bundled server did not start.')
  await writeFile(STAMP, stamp)
}

/** Lets the loader import ES modules for the program, which as a script cannot (`import_` of `load-bundle.ts`). */
function withImport(code: string, program: unknown): string {
  const at: number[] = []
  function visit(node: unknown) {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'ImportExpression' && 'start' in node) at.push(node.start as number)
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  for (const start of at.toSorted((a, b) => b - a))
    code = `${code.slice(0, start)}import_${code.slice(start + 'import'.length)}`
  return code
}

/** The same program without other characters than ASCII: V8 keeps its text in memory, with two bytes for each character if one needs them. */
function inAscii(program: string): string {
  if (/\\[^\0-\x7f]/.test(program)) throw new Error('A character that is not ASCII follows a backslash.')
  return program.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

if (import.meta.main) await bundle()
