import { expect, test } from 'vitest'
import { errorsIn, markAsClosed } from './log-errors.ts'

const lineOf = (message: string, level = 50) => `${JSON.stringify({ level, err: { message }, msg: 'failed' })}\n`
const CLOSED = lineOf('database is not open')

test('a closed database is an error of a server that is open, and not of one whose end has begun', () => {
  expect(errorsIn(`Started 2\n${CLOSED}${markAsClosed(CLOSED)}`)).toEqual([CLOSED.trim()])
})

test('other errors of a server whose end has begun count, and warnings do not', () => {
  const other = markAsClosed(lineOf('no such column: mail'))
  expect(errorsIn(`${other}${lineOf('slow', 40)}`)).toEqual([other.trim()])
})
