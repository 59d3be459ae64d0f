import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Node } from '../cluster/cluster.ts'
import { statusOf, until } from '../cluster/program.ts'
import type { Installation } from '../installation.ts'
import type { Load, Pace } from './load.ts'
import type { Outcome } from './one-server/one-server.ts'

/** A fault in an installation of many servers. */
export type ClusterDrill = {
  says: string
  /** Requirements that this machine lacks, besides the programs of a cluster, as a sentence. */
  missing?(): string | undefined
  /** How many servers the installation has; three by default. */
  servers?: number
  /** Six workers by default. */
  pace?: Pace
  /** Checks in addition to those that nothing acknowledged is lost and no code is redeemed twice. */
  wanted: { failed?: number; longest_ms?: number; window_s?: number }
  /** Does the damage and ends it; the load goes on before, meanwhile and afterwards. Resolves with what else was seen. */
  run(cluster: Cluster, load: { load: Load; installation: Installation }): Promise<Omit<Outcome, 'figures'> | void>
}

/** Milliseconds that HAProxy needs to see that a server is ready. */
export const NOTICED = 2_000

/** Ends a server as a supervisor does, starts it again, and waits until HAProxy has seen that it is ready. */
export async function restart(node: Node, start = () => node.server.start()): Promise<void> {
  await node.server.end('SIGTERM')
  start()
  await until(node.name, async () => (await statusOf(`${node.url}/readyz`)) === 200)
  await pause(NOTICED)
}
