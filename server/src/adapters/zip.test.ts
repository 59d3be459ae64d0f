import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { zipOf } from './zip.ts'

test('an entry that fails at once fails the archive, also when it is read later', async () => {
  const archive = zipOf(
    [
      {
        name: 'account.json',
        // biome-ignore lint/correctness/useYield: it fails before
        async *content() {
          throw new Error('The database is away')
        },
      },
    ],
    new Date(),
  )
  await pause(20)
  await expect(Readable.from(archive).toArray()).rejects.toThrow('The database is away')
})
