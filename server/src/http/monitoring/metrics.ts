import type { Store } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Meter } from '../../lib/meter.ts'
import type { Health } from './health.ts'

/** Values that are read when the metrics are requested. */
export type Watched = {
  store: Pick<Store, 'load' | 'read'> & { signals: Pick<Store['signals'], 'missing'> }
  health: Pick<Health, 'problems'>
  sockets: { count(): number }
  clock: Clock
}

/** The metrics of one server. */
export interface Metrics extends Meter {
  /** Counts an answered request; `route` is its pattern. */
  request(method: string, route: string, status: number, seconds: number): void
  /** From now on the text also contains the state of these. */
  watch(watched: Watched): void
  /** The text format of Prometheus. */
  text(): Promise<string>
  contentType: string
}
