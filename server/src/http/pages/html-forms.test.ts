import { expect, test } from 'vitest'
import { listed } from './html-forms.ts'

test('a field that is sent again is a list', () => {
  expect(listed(new URLSearchParams('a=1&b=&a=2&__proto__=3'))).toEqual(
    Object.fromEntries([
      ['a', ['1', '2']],
      ['b', ''],
      ['__proto__', '3'],
    ]),
  )
})

test('a form with many fields is read in linear time', () => {
  const form = new URLSearchParams(Array.from({ length: 100_000 }, (_, i): [string, string] => [String(i), '']))
  const start = process.threadCpuUsage()
  expect(Object.keys(listed(form))).toHaveLength(100_000)
  expect(process.threadCpuUsage(start).user, 'microseconds of CPU time').toBeLessThan(1_000_000)
})
