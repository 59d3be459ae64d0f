// Starts servers one after the other in this process, which loads the bundled server once. A line of stdin with settings, as
// JSON, starts one; the next line closes it. Writes `Started` and `Closed` with the number of the server.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { SERVER_MODULE } from '../../scripts/build/server-bundle.ts'
import { LOW_COST } from '../../testing/low-cost.ts'
import { markAsClosed } from './log-errors.ts'

/** Exports of the module that are used here. */
interface ServerModule {
  readConfig(env: Record<string, string>): { log_level: string }
  openLog(level: string, destination: { write(line: string): void }): object
  startServer(config: unknown, options: { log: object }): Promise<{ close(drain_seconds: number): Promise<void> }>
}

const { readConfig, openLog, startServer } = createRequire(import.meta.url)(SERVER_MODULE) as ServerModule

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (let number = 1; ; number += 1) {
  const settings = await lines.next()
  if (settings.done) break
  const config = readConfig(JSON.parse(settings.value))
  let closing = false
  const log = openLog(config.log_level, {
    write: (line) => void process.stdout.write(closing ? markAsClosed(line) : line),
  })
  const server = await startServer({ ...config, password_cost: LOW_COST }, { log })
  console.log(`Started ${number}`)
  await lines.next()
  closing = true
  await server.close(0)
  console.log(`Closed ${number}`)
}
