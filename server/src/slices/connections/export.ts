import type { FileAnswer, InputOf, users } from '@vrata/contract'
import type { OpenDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { recordInDeveloper } from '../developers/door.ts'
import { type Filter, pageOfUsers, refuseForeignApp } from './users.ts'

const COLUMNS = ['id', 'name', 'email', 'apps', 'connected_at', 'last_used_at', 'blocked'] as const
/** People read at once. */
const STRIDE = 500
/** Without it, spreadsheets take the file for one of an older encoding. */
const BYTE_ORDER_MARK = '\u{feff}'

/** §6 Everybody as CSV: recorded first, then read page by page while it leaves, so that no list stands in memory. */
export async function exportUsers(
  deps: OpenDeps,
  actor: Member,
  input: InputOf<typeof users.exportUsers>,
): Promise<FileAnswer> {
  await refuseForeignApp(deps, actor, input)
  await deps.transaction((tx) => recordInDeveloper(tx, actor, 'EXPORTED_USERS', { client_id: input.client_id }))
  const day = deps.clock.now().toISOString().slice(0, 10)
  return { body: lines(deps, actor, input), name: `users-${day}.csv` }
}

async function* lines(deps: OpenDeps, actor: Member, filter: Filter): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + lineOf([...COLUMNS]))
  let cursor: string | undefined
  do {
    const page = await pageOfUsers(deps.db, actor, filter, { cursor, limit: STRIDE })
    yield Buffer.from(page.users.map(rowOf).join(''))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

function rowOf({ id, name = '', email = '', clients, blocked }: users.KnownUser): string {
  const connected_at = clients.at(-1)?.connected_at ?? ''
  const last_used_at = clients.map((client) => client.last_used_at ?? '').reduce((a, b) => (a > b ? a : b), '')
  const apps = clients.map((client) => client.name).join(', ')
  return lineOf([id, name, email, apps, connected_at, last_used_at, String(blocked)])
}

/** One line of RFC 4180. */
function lineOf(cells: string[]): string {
  return `${cells.map((cell) => `"${inert(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * People choose their names, and a spreadsheet would run one that begins like a formula (security.md 1.2.10); in Slovenia and
 * Croatia also what follows a semicolon, at which theirs part cells however they are quoted.
 */
function inert(cell: string): string {
  return cell.replace(/(^|[;,|\t\r\n])(?=\s*[=+\-@＝＋－＠\t\r])/g, "$1'")
}
