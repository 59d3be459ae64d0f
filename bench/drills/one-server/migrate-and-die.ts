/**
 * Runs the pending migrations of a database and kills itself (SIGKILL) after a number of statements that change something. Ends with 0 when
 * there were not so many. Arguments: data folder, number, `postgres://…` or nothing.
 */
import { migrate } from '../../../server/src/db/migrate.ts'
import { openDatabase } from '../../../server/src/db/open.ts'

const [dataDir = '', after = '', url] = process.argv.slice(2)
/** The table of migrations exists from the first one on. */
const CHANGE = /^\s*(create(?! table if not exists "migrations")|alter|drop|insert|update|delete)/i
let changes = 0
let isCounting = false
const store = await openDatabase({
  dataDir,
  url,
  async trace(sql, run) {
    const result = await run()
    if (isCounting && CHANGE.test(sql)) changes += 1
    if (changes === Number(after)) process.kill(process.pid, 'SIGKILL')
    return result
  },
})
const pending = await store.pendingMigrations()
isCounting = true
await migrate(store.engine, store.transaction, pending)
await store.close()
