import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { PolledSignals } from './polled-signals.ts'

test.runIf(testEngine === 'postgres')(
  'a server whose machine was suspended is told that signals may be missing, although its own clock stood still',
  async () => {
    const { store } = await openStore()
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const signals = new PolledSignals(store.db, () => {}, { ...TIMEOUTS, signals: 2000 })
    onTestFinished(async () => {
      vi.restoreAllMocks()
      await signals.close()
    })
    const received: unknown[] = []
    signals.on('clients', (payload) => received.push(payload))
    await store.signals.announce('clients', 'before')
    await expect
      .poll(async () => {
        await store.signals.announce('clients', 'again')
        return received
      })
      .toContain('again')
    // The database does not answer for longer than signals may be missing, but for less than a lock may take.
    await store.transaction(async ({ db }) => {
      await sql`lock table signals in access exclusive mode`.execute(db)
      received.length = 0
      await pause(2500)
    })
    await expect.poll(() => received).toContain(undefined)
  },
)
