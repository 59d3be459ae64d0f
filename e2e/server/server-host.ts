// Starts servers one after the other in this process, which loads the bundled server once. A line of stdin with settings, as
// JSON, starts one; the next line closes it. Writes `Started` and `Closed` with the number of the server.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { SERVER_MODULE } from '../../scripts/build/server-bundle.ts'
import { LOW_COST } from '../../testing/low-cost.ts'

/** Exports of the module that are used here. */
interface ServerModule {
  readConfig(env: Record<string, string>): object
  startServer(config: unknown): Promise<{ close(drain_seconds: number): Promise<void> }>
}

const { readConfig, startServer } = createRequire(import.meta.url)(SERVER_MODULE) as ServerModule

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (let number = 1; ; number += 1) {
  const settings = await lines.next()
  if (settings.done) break
  const server = await startServer({ ...readConfig(JSON.parse(settings.value)), password_cost: LOW_COST })
  console.log(`Started ${number}`)
  await lines.next()
  await server.close(0)
  console.log(`Closed ${number}`)
}
