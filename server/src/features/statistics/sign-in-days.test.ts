import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { pausingProxy } from '../../../test/databases/pausing-proxy.ts'
import { testEngine } from '../../../test/databases/template-db.ts'
import { openDatabase, type Store } from '../../db/open.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { testClock } from '../../lib/clock.ts'
import { SignInDays } from './public.ts'

type Writing = Pick<AppDeps, 'transaction' | 'log'>

/** Dependencies of `write`, with a function that runs as the last work of each transaction. */
function writingTo(store: Store, last: () => void = () => {}): Writing {
  const transaction = <T>(work: (deps: TransactionDeps) => Promise<T>) =>
    store.transaction(async ({ db }) => {
      const done = await work({ db } as TransactionDeps)
      last()
      return done
    })
  return { transaction, log: { warn: () => {} } } as unknown as Writing
}

function threeSignIns(): SignInDays {
  const days = new SignInDays(testClock())
  for (let times = 0; times < 3; times += 1) days.signedIn()
  return days
}

const today = async (store: Store, days: SignInDays) => (await days.list(store.read, 1))[0]?.sign_ins

test('sign-ins that could not be written are written later', async () => {
  const { store } = await openStore()
  const days = threeSignIns()
  const away = writingTo(store, () => {
    throw new Error('the database is away')
  })
  await days.write(away)
  await days.write(writingTo(store))
  expect([await today(store, days), await today(store, new SignInDays(testClock()))]).toEqual([3, 3])
})

test.runIf(testEngine === 'postgres')(
  'sign-ins of which the database has confirmed nothing, although it has stored them, are not counted twice',
  async () => {
    const { url = '', dataDir, store } = await openStore()
    const through = new URL(url)
    const proxy = await pausingProxy({ host: through.hostname, port: Number(through.port) })
    through.host = `127.0.0.1:${proxy.port}`
    const other = await openDatabase({ url: through.href, listenUrl: url, dataDir, timeouts: { close: 500 } })
    onTestFinished(() => other.close())
    const days = threeSignIns()
    await days.write(writingTo(other, () => proxy.loseNextAnswer()))
    await days.write(writingTo(other))
    expect(await today(store, days)).toBe(3)
  },
)
