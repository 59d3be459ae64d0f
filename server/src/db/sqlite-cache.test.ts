import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SqliteConnection, writerCache } from './sqlite.ts'

const [MiB, GiB] = [1024 ** 2, 1024 ** 3]

test.each([
  [0, 8],
  [GiB / 2, 8],
  [GiB, 16],
  [2 * GiB, 32],
  [14 * GiB, 48],
])('a file of %d bytes gets %d MiB of cache', (size, cache) => {
  expect(writerCache(size)).toBe((cache * MiB) / 1024)
})

test('only the connection that writes has a large cache', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-sqlite-'))
  try {
    const file = join(folder, 'vrata.sqlite')
    const caches = (['writer', 'reader'] as const).map((role) => {
      const connection = new SqliteConnection(file, role)
      const { rows } = connection.execute<{ cache_size: number }>('pragma cache_size')
      connection.close()
      return rows[0]?.cache_size
    })
    expect(caches).toEqual([-8 * 1024, -4 * 1024])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
