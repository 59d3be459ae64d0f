import ts from 'typescript'
import { descendants, importsOf, parse, property } from './source.ts'

/**
 * Possible values of an expression that yields a string: literals, templates, constants of this or an imported file, members
 * of constant objects, loops over constant arrays, and parameters (the arguments of all calls in the file). A part that
 * cannot be evaluated appears as its source in braces.
 */
export function stringsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return stringsOf(node.expression)
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (texts, { expression, literal }) => combine(combine(texts, stringsOf(expression)), [literal.text]),
      [node.head.text],
    )
  }
  if (ts.isPropertyAccessExpression(node)) {
    const object = constant(node.expression)
    const value = object && ts.isObjectLiteralExpression(object) ? property(object, node.name.text) : undefined
    if (value) return stringsOf(value)
  }
  if (ts.isIdentifier(node)) {
    const elements = loopElements(node) ?? callArguments(node)
    if (elements) return elements.flatMap(stringsOf)
    const value = constant(node)
    if (value) return stringsOf(value)
  }
  return [`{${node.getText()}}`]
}

function combine(left: string[], right: string[]): string[] {
  return left.flatMap((start) => right.map((end) => start + end))
}

/** The initializer of a constant of the module or of an imported module, without `as const`. */
function constant(node: ts.Node): ts.Expression | undefined {
  if (!ts.isIdentifier(node)) return undefined
  const source = node.getSourceFile()
  const imported = importsOf(source).get(node.text)
  const { file, name } = imported ?? { file: source.fileName, name: node.text }
  for (const { name: declared, initializer } of descendants(parse(file), ts.isVariableDeclaration)) {
    if (declared.getText() !== name || !initializer || initializer === node) continue
    return ts.isAsExpression(initializer) ? initializer.expression : initializer
  }
  return undefined
}

/** Elements of the array over which `for (const name of …)` runs. */
function loopElements(name: ts.Identifier): ts.Expression[] | undefined {
  for (let at: ts.Node = name; at.parent; at = at.parent) {
    if (!ts.isForOfStatement(at) || !ts.isVariableDeclarationList(at.initializer)) continue
    if (at.initializer.declarations[0]?.name.getText() !== name.text) continue
    return ts.isArrayLiteralExpression(at.expression) ? [...at.expression.elements] : undefined
  }
  return undefined
}

/** Arguments that the calls in this file pass for a parameter of a function declaration. */
function callArguments(name: ts.Identifier): ts.Expression[] | undefined {
  for (let at: ts.Node = name; at.parent; at = at.parent) {
    if (!ts.isFunctionDeclaration(at)) continue
    const index = at.parameters.findIndex((parameter) => parameter.name.getText() === name.text)
    if (index < 0) continue
    const called = at.name?.text
    const calls = descendants(name.getSourceFile(), ts.isCallExpression).filter(
      ({ expression }) => expression.getText() === called,
    )
    const values = calls.flatMap((call) => call.arguments[index] ?? [])
    return values.length ? values : undefined
  }
  return undefined
}
