/**
 * `npm run bench`: what an operation costs; `-- shares`: on what it is spent; `-- lists`: lists with few
 * and many rows; `-- sockets`: a thousand open pages.
 */
import { benchLists } from './lists.ts'
import { benchOperations } from './operations.ts'
import { benchShares } from './shares.ts'
import { benchSockets } from './sockets.ts'

const BENCHES: Record<string, () => Promise<void>> = {
  operations: benchOperations,
  shares: benchShares,
  lists: benchLists,
  sockets: benchSockets,
}
const bench = BENCHES[process.argv[2] ?? 'operations']
if (!bench) throw new Error(`There is no such bench; there are ${Object.keys(BENCHES).join(', ')}`)
await bench()
process.exit()
