import { expect, test } from 'vitest'
import { highlight, type Kind } from './highlight.ts'

const all = (kind: Kind, code: string, language: string) =>
  highlight(code, language)
    .filter((piece) => piece.kind === kind)
    .map(({ text }) => text)

test('keeps all code', () => {
  const code = 'const a = "x" // why\nif (a) { return `b` }\n'
  const pieces = highlight(code, 'js')
  expect(pieces.map(({ text }) => text).join('')).toBe(code)
})

test('distinguishes comments from addresses and strings', () => {
  expect(all('comment', "get('https://a.b/c') // https://d", 'js')).toEqual(['// https://d'])
  expect(all('comment', 'curl https://a.b/#c # not this', 'sh')).toEqual(['# not this'])
  expect(all('string', "// it's\nx = 'y'", 'js')).toEqual(["'y'"])
})

test('matches keywords as whole words only', () => {
  expect(all('keyword', 'const format = new Form({ default: 1, from: 2 })', 'js')).toEqual(['const', 'new'])
})

test('leaves unknown languages and unterminated strings unchanged', () => {
  expect(highlight('a "b', 'text')).toEqual([{ kind: undefined, text: 'a "b' }])
})
