// Starts servers one after the other in this process, which loads the bundled server once. A line of stdin with settings, as
// JSON, starts one; the next line closes it. Writes `Started` and `Closed` with the number of the server.
import { createInterface } from 'node:readline'
import { SERVER_MODULE } from '../scripts/build/server-bundle.ts'
import { readConfig } from '../server/src/config.ts'

const { startServer } = (await import(SERVER_MODULE)) as typeof import('../server/src/main.ts')

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (let number = 1; ; number += 1) {
  const settings = await lines.next()
  if (settings.done) break
  const server = await startServer(readConfig(JSON.parse(settings.value)))
  console.log(`Started ${number}`)
  await lines.next()
  await server.close(0)
  console.log(`Closed ${number}`)
}
