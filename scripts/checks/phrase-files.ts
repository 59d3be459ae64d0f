import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { ROOT } from '../run-command.ts'

const WEB = join(ROOT, 'web/src')
const ROUTES = 'routes.tsx'
/** Loaded before every page (`before-load.ts`). */
const ALWAYS = ['ui', 'problems']
/** Modules that show phrases only after another module has loaded them. */
const LOADED_BEFORE: Record<string, readonly string[]> = {
  // The socket reports a lost connection only after `realtime.ts` has loaded these and connected.
  'shell/frame.tsx': ['realtime'],
  // The routes of the shells around it load them.
  'shell/signed-in-shell.tsx': ['menu'],
  // The route of the shell loads them.
  'shell/menu/admin-menu.ts': ['operators'],
  // Only the menus of signed-in shells have it.
  'shell/menu/waiting-badge.tsx': ['menu'],
}

/**
 * Reports pages that show phrases of a file that nothing loads: each page of the route table loads its `phrases`, and a
 * module that loads a part on demand also loads the phrases of that part. That each key exists is checked by its type.
 *
 * @param sources modules by path below `web/src`; by default those of the repository
 */
export function checkPhraseFiles(sources: Record<string, string> = {}): string[] {
  const modules = new Map<string, Module>()
  const moduleOf = (file: string) => {
    const known = modules.get(file) ?? parseModule(file, sources[file] ?? readFileSync(join(WEB, file), 'utf8'))
    modules.set(file, known)
    return known
  }
  const wrong = new Set<string>()
  function visit(file: string, loaded: readonly string[], page: string, seen: Set<string>) {
    const { uses, loads, imports } = moduleOf(file)
    const here = [...new Set([...loaded, ...loads, ...(LOADED_BEFORE[file] ?? [])])].sort()
    const key = `${file} ${here}`
    if (seen.has(key)) return
    seen.add(key)
    for (const phrases of uses) {
      if (!here.includes(phrases)) wrong.add(`${page} shows phrases of ${phrases} (${file}) but does not load them`)
    }
    for (const next of imports) if (next !== ROUTES) visit(next, here, page, seen)
  }
  for (const { path, phrases, page } of pagesOf(sources[ROUTES] ?? readFileSync(join(WEB, ROUTES), 'utf8'))) {
    visit(page, [...ALWAYS, ...phrases], path, new Set())
  }
  return [...wrong]
}

type Module = { uses: string[]; loads: string[]; imports: string[] }

function parseModule(file: string, code: string): Module {
  const all = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, found = '']) => found)
  return {
    uses: [...new Set(all(/['"`]([a-z-]+)\.[\w$'"`]/g).filter((name) => FILES.has(name)))],
    loads: all(/\.load\(\[([^\]]+)\]\)/g).flatMap(words),
    imports: all(/(?:from |import\()'(\.[^']+\.tsx?)'/g)
      .map((to) => relative(WEB, join(WEB, dirname(file), to)))
      .filter((to) => !to.startsWith('..')),
  }
}

/** Phrases that the shells load, by the table of their pages. */
const SHELLS: Record<string, readonly string[]> = {
  USER: ['menu'],
  DEVELOPER: ['menu'],
  ADMIN: ['menu', 'operators'],
}

/** Rows with a page, and the shells. */
function pagesOf(routes: string) {
  let shell: readonly string[] = []
  const consent = /const consent = page\(\(\) => import\('\.\/([^']+)'/.exec(routes)?.[1]
  return routes.split('\n').flatMap((line) => {
    const table = /^const (\w+): Row\[\]/.exec(line)?.[1]
    if (table) shell = SHELLS[table] ?? []
    const page =
      /page: page\(\(\) => import\('\.\/([^']+)'/.exec(line)?.[1] ??
      (line.includes('page: consent') ? consent : /^ {2}\w+: page\(\(\) => import\('\.\/([^']+)'/.exec(line)?.[1])
    if (!page) return []
    return [
      {
        path: /path: '([^']+)'/.exec(line)?.[1] ?? page,
        phrases: [...shell, ...words(/phrases: \[([^\]]*)\]/.exec(line)?.[1])],
        page,
      },
    ]
  })
}

const words = (list = '') => [...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word)

const FILES = new Set(readdirSync(join(ROOT, 'phrases/src/en-US')).map((name) => basename(name, '.ts')))
FILES.delete('catalog')
