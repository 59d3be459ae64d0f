import { expect, test } from 'vitest'
import { bestEncoding } from './compression.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
  ['BR', 'br'],
  ['gzip ; q=0', undefined],
] as const)('Accept-Encoding "%s" gets %s', (header, encoding) => expect(bestEncoding(header)).toBe(encoding))

test('parses long headers in linear time (security §1.3.12)', () => {
  const start = process.threadCpuUsage()
  bestEncoding(`gzip${' '.repeat(100_000)}br`)
  expect(process.threadCpuUsage(start).user, 'microseconds of CPU time').toBeLessThan(1_000_000)
})
