/**
 * Runs the pending migrations of a database and kills itself (SIGKILL) after a number of their statements. Prints `done` when there were
 * not so many. Arguments: data folder, number, `postgres://…` or nothing.
 */
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'

const [dataDir = '', after = '', url] = process.argv.slice(2)
let statements = 0
let isCounting = false
const store = await openDatabase({
  dataDir,
  url,
  async trace(_, run) {
    const result = await run()
    if (isCounting) statements += 1
    if (statements === Number(after)) process.kill(process.pid, 'SIGKILL')
    return result
  },
})
const pending = await store.pendingMigrations()
isCounting = true
await migrate(store.engine, store.transaction, pending)
console.log('done')
await store.close()
