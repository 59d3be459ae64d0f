import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'
import { isRoute, type Route } from '../../contract/src/http/route.ts'
import { isPlain } from '../../web/build/is-plain.ts'

const FILE = /[\\/]contract[\\/]src[\\/]calls[\\/][\w-]+\.ts$/
const PARTS = ['params', 'query', 'body', 'data'] as const

/**
 * Makes the schemas of a file of calls when one of them is first used (decision 0128): the code of the file becomes a function, which other such files
 * call for what they import. A call is data without its schemas, and takes them from there. The file still exports its calls and other data; the
 * build fails where something else of it is imported.
 */
export function lazySchemas(): Plugin {
  return {
    name: 'vrata:lazy-schemas',
    async load(id) {
      const text = FILE.test(id) ? await readFile(id, 'utf8') : ''
      if (!hasCalls(text)) return null
      const { outside, inside, names } = await parts(id, text)
      const file = (await import(pathToFileURL(id).href)) as Record<string, unknown>
      const data = names.flatMap((name) => {
        const value = file[name]
        if (isRoute(value)) return [`export const ${name} = call(${withoutSchemas(value)}, () => itself().${name})`]
        return isPlain(value) ? [`export const ${name} = ${JSON.stringify(value)}`] : []
      })
      const made = `let made\nexport const itself = () => (made ??= make())\nfunction make() {\n${inside.join('\n')}\nreturn { ${names} }\n}`
      return { code: [...outside, ...data, made, CALL].join('\n'), moduleType: 'ts' }
    },
  }
}

const hasCalls = (text: string) => text.includes('= route(')

/** Adds the schemas to a call; each is read once. */
const CALL = `
function call([route, parts], itself) {
  const define = (part, property) => Object.defineProperty(route, part, { enumerable: true, configurable: true, ...property })
  for (const part of parts) define(part, { get() { define(part, { value: itself()[part] }); return route[part] } })
  return route
}`

/** The statements of a file that stay outside of the function, those inside, and the names of what it exports itself. */
async function parts(id: string, text: string): Promise<{ outside: string[]; inside: string[]; names: string[] }> {
  const { parseAst } = await import('rolldown/parseAst')
  const outside: string[] = []
  const inside: string[] = []
  const names: string[] = []
  for (const node of parseAst(text, { lang: 'ts' }).body) {
    const code = text.slice(node.start, node.end)
    if (node.type === 'ImportDeclaration') {
      const source = node.source.value
      if (!source.startsWith('./') || !hasCalls(await readFile(join(dirname(id), source), 'utf8'))) outside.push(code)
      else {
        const itself = `itself${outside.length}`
        outside.push(`import { itself as ${itself} } from '${source}'`)
        for (const one of node.specifiers) {
          if (one.type === 'ImportSpecifier' && one.importKind === 'type') continue
          if (one.type === 'ImportDefaultSpecifier')
            throw new Error(`${id} imports what no file of calls exports: ${code}`)
          const name = one.type === 'ImportSpecifier' ? text.slice(one.imported.start, one.imported.end) : undefined
          inside.push(`const ${one.local.name} = ${itself}()${name ? `.${name}` : ''}`)
        }
      }
    } else if (node.type === 'ExportAllDeclaration') outside.push(code)
    else if (node.type !== 'ExportNamedDeclaration') inside.push(code)
    else if (node.declaration?.type === 'VariableDeclaration') {
      const { declaration } = node
      for (const one of declaration.declarations) if (one.id.type === 'Identifier') names.push(one.id.name)
      inside.push(text.slice(declaration.start, declaration.end))
    } else if (node.exportKind !== 'type') throw new Error(`${id} exports what the bundle cannot: ${code}`)
  }
  return { outside, inside, names }
}

/** The call as data, and the names of its schemas. */
function withoutSchemas(route: Route): string {
  const data = Object.entries(route).filter(([name]) => !PARTS.includes(name as never))
  if (!data.every(([, value]) => isPlain(value))) throw new Error(`${route.method} ${route.path} is not data.`)
  return JSON.stringify([Object.fromEntries(data), PARTS.filter((part) => route[part])])
}
