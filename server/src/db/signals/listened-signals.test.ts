import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { bytesKeptBy } from '../../../../testing/old-generation.ts'
import { openStore } from '../../../test/databases/open-store.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { openDatabase } from '../open.ts'

test.runIf(testEngine === 'postgres')(
  'a connection that listens for long keeps nothing of the questions whether it answers',
  async () => {
    const { url, dataDir } = await openStore()
    const listening = await openDatabase({ url, dataDir, timeouts: { beat: 1 } })
    onTestFinished(() => listening.close())
    await pause(1500)
    // Some 2,000 questions. Each kept 312 bytes once.
    expect(await bytesKeptBy(() => pause(3000))).toBeLessThan(200_000)
  },
)
