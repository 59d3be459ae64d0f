/**
 * `npm run bench`: CPU time of each operation; `-- scale`: a million people beside a thousand; `-- shares`: where the time is spent; `-- tails`: the 99th percentile; `-- groups`: apps with
 * groups beside apps without; `-- lists`: lists with few and many rows;
 * `-- pages`: pages on a slow phone; `-- start`: the start beside that of Fastify; `-- nodes`: two servers beside one; `-- sockets`: 1000 open sockets; `-- mails`: latency while the mail server does not answer.
 */
import { ensurePages } from '../scripts/build/pages.ts'
import { ensureServer } from '../scripts/build/server-bundle.ts'
import { benchLists } from './lists.ts'
import { benchMails } from './mails.ts'
import { benchGroups } from './operations/groups.ts'
import { benchNodes } from './operations/nodes.ts'
import { benchOperations } from './operations/operations.ts'
import { benchShares } from './operations/shares.ts'
import { benchTails } from './operations/tails.ts'
import { benchPages } from './pages/pages.ts'
import { benchScale } from './scale/main.ts'
import { benchSockets } from './sockets.ts'
import { benchStart } from './start.ts'
import { exitOnSignals } from './targets.ts'

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  operations: benchOperations,
  shares: benchShares,
  tails: benchTails,
  groups: benchGroups,
  lists: benchLists,
  pages: () => benchPages(),
  start: benchStart,
  nodes: benchNodes,
  sockets: benchSockets,
  mails: benchMails,
  scale: benchScale,
}
const bench = BENCHES[process.argv[2] ?? 'operations']
if (!bench) throw new Error(`unknown benchmark; choose one of ${Object.keys(BENCHES).join(', ')}`)
exitOnSignals()
await ensurePages()
await ensureServer()
await bench(process.argv.slice(3))
process.exit()
