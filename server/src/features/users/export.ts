import type { FileAnswer, InputOf, users } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../lib/formats/csv.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { type Filter, listUserPage, requireOwnClient } from './list-users.ts'

const COLUMNS = ['id', 'name', 'email', 'apps', 'connected_at', 'last_used_at', 'blocked'] as const
/** Users per query. */
const PAGE_SIZE = 500

/** Exports all users as CSV (api §5.5). Records the export first, then streams page by page. */
export async function exportUsers(
  deps: AppDeps,
  actor: MemberActor,
  input: InputOf<typeof users.exportUsers>,
): Promise<FileAnswer> {
  await requireOwnClient(deps, actor, input)
  await deps.transaction((tx) => recordDeveloperActivity(tx, actor, 'EXPORTED_USERS', { client_id: input.client_id }))
  const day = deps.clock.now().toISOString().slice(0, 10)
  return { body: csvLines(deps, actor, input), name: `users-${day}.csv` }
}

async function* csvLines(deps: AppDeps, actor: MemberActor, filter: Filter): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + csvLine([...COLUMNS]))
  let cursor: string | undefined
  do {
    const page = await listUserPage(deps.db, actor, filter, { cursor, limit: PAGE_SIZE })
    yield Buffer.from(page.users.map(userLine).join(''))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

function userLine({ id, name = '', email = '', clients, blocked }: users.DeveloperUser): string {
  const connected_at = clients.at(-1)?.connected_at ?? ''
  const last_used_at = clients.map((client) => client.last_used_at ?? '').reduce((a, b) => (a > b ? a : b), '')
  const apps = clients.map((client) => client.name).join(', ')
  return csvLine([id, name, email, apps, connected_at, last_used_at, String(blocked)])
}
