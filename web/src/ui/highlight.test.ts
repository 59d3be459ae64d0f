import { expect, test } from 'vitest'
import { highlight, type Kind } from './highlight.ts'

const all = (kind: Kind, code: string, language: string) =>
  highlight(code, language)
    .filter((piece) => piece.kind === kind)
    .map(({ text }) => text)

test('nothing of the code is lost', () => {
  const code = 'const a = "x" // why\nif (a) { return `b` }\n'
  const pieces = highlight(code, 'js')
  expect(pieces.map(({ text }) => text).join('')).toBe(code)
})

test('an address is no comment, and a comment is no code', () => {
  expect(all('comment', "get('https://a.b/c') // https://d", 'js')).toEqual(['// https://d'])
  expect(all('comment', 'curl https://a.b/#c # not this', 'sh')).toEqual(['# not this'])
  expect(all('string', "// it's\nx = 'y'", 'js')).toEqual(["'y'"])
})

test('a keyword is a word of its own', () => {
  expect(all('keyword', 'const format = new Form({ default: 1, from: 2 })', 'js')).toEqual(['const', 'new'])
})

test('unknown languages and broken strings are shown as they are', () => {
  expect(highlight('a "b', 'text')).toEqual([{ kind: undefined, text: 'a "b' }])
})
