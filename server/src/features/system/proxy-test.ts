import { type InputOf, problem, type system } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { ArrivedActor } from '../../http/actors.ts'
import { hashToken } from '../../lib/ids.ts'
import { consumeProxyTest } from './proxy-test-store.ts'

/** Describes its own request, to `vrata doctor` alone: addresses of proxies and headers are nothing for strangers. */
export async function testProxies(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  actor: Pick<ArrivedActor, 'arrival'>,
  { token }: InputOf<typeof system.testProxies>,
): Promise<system.Arrival> {
  const valid = await consumeProxyTest(deps.db, hashToken(token), toTime(deps.clock.now()))
  if (!valid) throw problem('invalid_token')
  return actor.arrival
}
