import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { settingsOf, startVrata } from '../../test/processes/vrata-command.ts'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a backup that is ended by %s leaves no part of its file',
  async (signal) => {
    const { store, url, dataDir } = await openStore()
    const row = {
      file: 'f0Q3bX.webp',
      user_id: null,
      created_at: '2026-11-23',
      kept_at: '2026-11-23',
      dropped_at: null,
    }
    await store.db.insertInto('pictures').values(row).execute()
    // A store of pictures that does not answer.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const file = join(dataDir, 'backup.gz')
    const settings = {
      VRATA_SECRET: 'a secret for tests, of a good length, and of nobody',
      VRATA_MEDIA_URL: `s3://files?endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    }
    const { kill, exit } = startVrata({ ...settingsOf({ url, dataDir }), ...settings }, 'backup', file)
    onTestFinished(() => {
      kill('SIGKILL')
      silent.close()
    })
    await once(silent, 'connection')
    expect(existsSync(`${file}.part`)).toBe(true)
    kill(signal)
    expect(await exit).toBe(128 + constants.signals[signal])
    expect(readdirSync(dataDir).filter((name) => name.startsWith('backup'))).toEqual([])
  },
)
