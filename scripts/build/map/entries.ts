import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { ROUTES } from '../../../contract/src/routes.ts'
import { ROOT } from '../../run-command.ts'
import { stringsOf } from './constants.ts'
import { descendants, importsOf, parse, property, type Reference, referenceOf } from './source.ts'

/** A call of the API: its contract, the file of its rule and the files of the pages that make it. */
export type CallEntry = { method: string; path: string; name: string; contract: string; rule?: string; pages: string[] }
/** An address of the pages: its page component (or where it redirects) and the layouts around it. */
export type PageEntry = { path: string; file?: string; layouts: string[]; redirect?: string }
/** An address outside `/v1`, and the file that registers its handler. */
export type EndpointEntry = { path: string; methods: string[]; file: string }

const PAGE_TABLE = 'web/src/routes.tsx'
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options', 'all', 'route']

/** All calls of the contract, sorted by path. */
export function callEntries(): CallEntry[] {
  const nouns = new Map([...importsOf(parse('contract/src/routes.ts'))].map(([noun, { file }]) => [file, noun]))
  const nameOf = ({ file, name }: Reference) => `${nouns.get(file)}.${name}`
  const rules = new Map<string, string>()
  for (const file of sourceFiles('server/src/features/**/routes.ts')) {
    const imports = importsOf(parse(file))
    for (const {
      arguments: [route, rule],
    } of descendants(parse(file), ts.isCallExpression)) {
      const served = route && referenceOf(route, imports)
      if (served && ROUTES.has(nameOf(served)))
        rules.set(nameOf(served), (rule && referenceOf(rule, imports)?.file) ?? file)
    }
  }
  const callers = new Map<string, Set<string>>()
  for (const file of sourceFiles('web/src/**/*.{ts,tsx}')) {
    const imports = importsOf(parse(file))
    if (![...imports.values()].some((imported) => nouns.has(imported.file))) continue
    const names = descendants(parse(file), (node) => ts.isPropertyAccessExpression(node) || ts.isIdentifier(node))
    for (const node of names) {
      const used = referenceOf(node, imports)
      if (used && ROUTES.has(nameOf(used)))
        callers.set(nameOf(used), (callers.get(nameOf(used)) ?? new Set()).add(file))
    }
  }
  const files = new Map([...nouns].map(([file, noun]) => [noun, file]))
  return [...ROUTES]
    .map(([name, { method, path }]) => ({
      method,
      path: `/v1${path.replace(/:(\w+)/g, '{$1}')}`,
      name,
      contract: files.get(name.split('.')[0] ?? '') ?? '',
      rule: rules.get(name),
      pages: [...(callers.get(name) ?? [])],
    }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : order(a.method) - order(b.method)))
}

const order = (method: string) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)

/** All rows of the route table of the pages, in its order. */
export function pageEntries(): PageEntry[] {
  const tables = descendants(parse(PAGE_TABLE), ts.isArrayLiteralExpression).filter(
    (list) => !isInside(list, ts.isArrayLiteralExpression) && rowsOf(list).length > 0,
  )
  return tables.flatMap((table) => pagesIn(table, '', []))
}

function pagesIn(table: ts.ArrayLiteralExpression, above: string, layouts: string[]): PageEntry[] {
  return rowsOf(table).flatMap((row) => {
    const [path = ''] = stringsOf(property(row, 'path') as ts.Expression)
    const whole = `${above}${path === '/' && above ? '' : path}`
    const file = importedBy(property(row, 'page'))
    const children = property(row, 'children')
    if (children && ts.isArrayLiteralExpression(children)) {
      return pagesIn(children, whole, file ? [...layouts, file] : layouts)
    }
    const redirect = property(row, 'redirect')
    return [{ path: whole, file, layouts, redirect: redirect && stringsOf(redirect)[0] }]
  })
}

function rowsOf(table: ts.ArrayLiteralExpression): ts.ObjectLiteralExpression[] {
  return table.elements.filter(ts.isObjectLiteralExpression).filter((row) => {
    const path = property(row, 'path')
    return path !== undefined && stringsOf(path)[0]?.startsWith('/')
  })
}

/** The file of the first `import(…)` in an expression or in the constant that it names. */
function importedBy(node: ts.Expression | undefined): string | undefined {
  if (!node) return undefined
  const [load] = descendants(node, ts.isCallExpression).filter(
    ({ expression }) => expression.kind === ts.SyntaxKind.ImportKeyword,
  )
  if (load) return join(dirname(PAGE_TABLE), (load.arguments[0] as ts.StringLiteral).text)
  const declared = descendants(node.getSourceFile(), ts.isVariableDeclaration).find(
    ({ name }) => name.getText() === node.getText(),
  )
  return declared?.initializer && declared.initializer !== node ? importedBy(declared.initializer) : undefined
}

function isInside(node: ts.Node, is: (node: ts.Node) => boolean): boolean {
  return node.parent !== undefined && (is(node.parent) || isInside(node.parent, is))
}

/** All other addresses that the server registers, sorted by path: the protocol, HTML forms of pages, health, metrics. */
export function endpointEntries(): EndpointEntry[] {
  const entries = new Map<string, EndpointEntry>()
  for (const file of sourceFiles('server/src/{http,issuer}/**/*.ts')) {
    for (const { expression, arguments: args } of descendants(parse(file), ts.isCallExpression)) {
      if (!ts.isPropertyAccessExpression(expression) || !METHODS.includes(expression.name.text)) continue
      const [first] = args
      const options = first && ts.isObjectLiteralExpression(first) ? first : undefined
      const url = options ? property(options, 'url') : first
      const method = options && property(options, 'method')
      if (!url || (!options && args.length < 2)) continue
      const methods = method ? methodsOf(method) : [expression.name.text.toUpperCase()]
      for (const below of stringsOf(url).filter((value) => value.startsWith('/'))) {
        const path = prefixOf(expression) + below
        const entry = entries.get(`${path} ${file}`) ?? { path, methods: [], file }
        entries.set(`${path} ${file}`, { ...entry, methods: [...new Set([...entry.methods, ...methods])] })
      }
    }
  }
  for (const file of sourceFiles('server/src/features/**/*.ts')) {
    // Forms without script answer POST, plain pages GET.
    for (const served of descendants(parse(file), ts.isObjectLiteralExpression)) {
      const states = property(served, 'text') && property(served, 'link')
      const path = (property(served, 'served') ?? states) && property(served, 'path')
      const method = property(served, 'show') || states ? 'GET' : 'POST'
      for (const one of path ? stringsOf(path) : []) {
        const entry = entries.get(`${one} ${file}`) ?? { path: one, methods: [], file }
        entries.set(`${one} ${file}`, { ...entry, methods: [...new Set([...entry.methods, method])] })
      }
    }
  }
  return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** The prefix with which `app.ts` registers the function that contains a node (`app.register(…, { prefix })`). */
function prefixOf(node: ts.Node): string {
  let mount: ts.Node | undefined = node
  while (mount && !ts.isFunctionDeclaration(mount)) mount = mount.parent
  if (!mount?.name) return ''
  for (const call of descendants(parse('server/src/app.ts'), ts.isCallExpression)) {
    const [registered, options] = call.arguments
    if (!options || !ts.isObjectLiteralExpression(options) || !registered?.getText().includes(`${mount.name.text}(`))
      continue
    const prefix = property(options, 'prefix')
    if (prefix) return stringsOf(prefix)[0] ?? ''
  }
  return ''
}

function methodsOf(node: ts.Expression): string[] {
  return ts.isArrayLiteralExpression(node) ? node.elements.flatMap(stringsOf) : stringsOf(node)
}

function sourceFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((file) => !/\.(test|conformance)\.tsx?$/.test(file))
    .sort()
}
