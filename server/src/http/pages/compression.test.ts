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
