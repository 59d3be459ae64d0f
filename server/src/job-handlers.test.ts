import { expect, test } from 'vitest'
import { openStore } from '../test/databases/open-store.ts'
import { enqueue } from './adapters/jobs/jobs.ts'
import { startJobs } from './adapters/jobs/runner.ts'
import { MAIL_JOB } from './adapters/mail/mail.ts'
import { LOGO_JOB } from './features/clients/public.ts'
import { ARCHIVE_JOB } from './features/privacy/public.ts'
import { CIBA_PING_JOB } from './issuer/ciba/notify-client.ts'
import { LOGOUT_JOB } from './issuer/logout/backchannel-logout.ts'
import { JOBS_APART } from './job-handlers.ts'
import { testClock } from './lib/clock.ts'

test.each([LOGOUT_JOB, LOGO_JOB, CIBA_PING_JOB, ARCHIVE_JOB])(
  'jobs of the kind %s that take long delay no mail',
  async (kind) => {
    const { store } = await openStore()
    const clock = testClock()
    const sent: string[] = []
    const blocked = Promise.withResolvers<void>()
    const handlers = { [kind]: () => blocked.promise, [MAIL_JOB]: async () => void sent.push('a mail') }
    const log = { warn() {}, error() {} }
    const runner = startJobs({ store, clock, handlers, log, poll: false, apart: JOBS_APART })
    const deps = { db: store.db, clock, signals: store.signals }
    for (let i = 0; i < 20; i += 1) await enqueue(deps, kind, {})
    await enqueue(deps, MAIL_JOB, {})
    const all = runner.runDue()
    try {
      await expect.poll(() => sent).toEqual(['a mail'])
    } finally {
      blocked.resolve()
      await all
      await runner.stop()
    }
  },
)
