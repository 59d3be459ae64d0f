import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../../run-command.ts'

/** A declaration that an import refers to; `name` is `*` for a whole module. Paths are relative to the repository. */
export type Reference = { file: string; name: string }

const parsed = new Map<string, ts.SourceFile>()
const CONTRACT_EXPORTS: Record<string, string> = JSON.parse(
  readFileSync(join(ROOT, 'contract/package.json'), 'utf8'),
).exports

/** Parses a file of the repository; the result is cached. */
export function parse(file: string): ts.SourceFile {
  const known = parsed.get(file)
  if (known) return known
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true, kind)
  parsed.set(file, source)
  return source
}

/** All nodes below a node that `is` accepts, in the order of the source. */
export function descendants<N extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is N): N[] {
  const found: N[] = is(node) ? [node] : []
  node.forEachChild((child) => {
    found.push(...descendants(child, is))
  })
  return found
}

/** Resolves the specifier of an import to a file of the repository; undefined for packages other than the contract. */
export function fileOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const [, path] = /^@vrata\/contract(?:\/(.+))?$/.exec(specifier) ?? []
  const target = CONTRACT_EXPORTS[path ? `./${path}` : '.'] ?? CONTRACT_EXPORTS['./*']?.replace('*', path ?? '')
  return specifier.startsWith('@vrata/contract') && target ? join('contract', target) : undefined
}

/** Targets of the imported names of a file, with re-exports of the contract followed. */
export function importsOf(source: ts.SourceFile): Map<string, Reference> {
  const references = new Map<string, Reference>()
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const file = fileOf(statement.moduleSpecifier.text, source.fileName)
    const bindings = statement.importClause?.namedBindings
    if (!file || !bindings) continue
    if (ts.isNamespaceImport(bindings)) references.set(bindings.name.text, { file, name: '*' })
    else
      for (const { name, propertyName } of bindings.elements)
        references.set(name.text, origin({ file, name: (propertyName ?? name).text }))
  }
  return references
}

/** Follows `export * as name from` and `export { name } from` to the declaring file. */
function origin({ file, name }: Reference): Reference {
  if (!/\.tsx?$/.test(file) || !existsSync(join(ROOT, file))) return { file, name }
  for (const statement of parse(file).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue
    const from = fileOf((statement.moduleSpecifier as ts.StringLiteral).text, file)
    const clause = statement.exportClause
    if (!from || !clause) continue
    if (ts.isNamespaceExport(clause)) {
      if (clause.name.text === name) return { file: from, name: '*' }
    } else {
      const found = clause.elements.find((element) => element.name.text === name)
      if (found) return origin({ file: from, name: (found.propertyName ?? found.name).text })
    }
  }
  return { file, name }
}

/** Target of `name` or `module.name`; undefined for names that are declared in the file itself. */
export function referenceOf(node: ts.Node, imports: Map<string, Reference>): Reference | undefined {
  if (ts.isIdentifier(node)) return imports.get(node.text)
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined
  const module = imports.get(node.expression.text)
  return module?.name === '*' ? { file: module.file, name: node.name.text } : undefined
}

/** The value of a property of an object literal. */
export function property(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const member of object.properties) {
    if (member.name?.getText() !== name) continue
    if (ts.isPropertyAssignment(member)) return member.initializer
    if (ts.isShorthandPropertyAssignment(member)) return member.name
  }
  return undefined
}
