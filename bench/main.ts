/**
 * `npm run bench`: what an operation costs; `-- shares`: on what it is spent; `-- lists`: lists with few
 * and many rows; `-- sockets`: a thousand open pages; `-- mails`: calls while the mail server hangs.
 */
import { benchLists } from './lists.ts'
import { benchMails } from './mails.ts'
import { benchOperations } from './operations.ts'
import { benchShares } from './shares.ts'
import { benchSockets } from './sockets.ts'

const BENCHES: Record<string, () => Promise<void>> = {
  operations: benchOperations,
  shares: benchShares,
  lists: benchLists,
  sockets: benchSockets,
  mails: benchMails,
}
const bench = BENCHES[process.argv[2] ?? 'operations']
if (!bench) throw new Error(`There is no such bench; there are ${Object.keys(BENCHES).join(', ')}`)
await bench()
process.exit()
