import { type AnswerOf, type adminClients, type InputOf, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromFlag } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import { findAccess } from '../client-access/public.ts'
import { decodeClientCursor, encodeClientCursor, UNREGISTERED } from '../clients/public.ts'
import { type AdminClientRow, type ClientSelection, listClients } from './store.ts'

/** Lists one page of the registered apps of the installation, by name (operators §2). */
export async function listAdminClients(
  deps: Pick<AppDeps, 'db'>,
  _: unknown,
  { query, status, organization, cursor, limit }: InputOf<typeof adminClients.listAdminClients>,
): Promise<AnswerOf<typeof adminClients.listAdminClients>> {
  const selection = {
    query,
    status,
    developer_id: organization,
    except: UNREGISTERED,
  }
  const after = cursor === undefined ? undefined : decodeClientCursor(cursor)
  const rows = await listClients(deps.db, selection, { after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const next_cursor = last ? encodeClientCursor(last) : null
  return { data: page.map(toAdminClient), next_cursor }
}

/** Returns an app, with who may use it. */
export async function getAdminClient(
  deps: Pick<AppDeps, 'db'>,
  _: unknown,
  { id }: InputOf<typeof adminClients.getAdminClient>,
): Promise<adminClients.AdminClientWithAccess> {
  const [client] = await findAdminClients(deps.db, { client_id: id }, 1)
  if (!client) throw problem('not_found')
  return { ...client, access: await findAccess(deps.db, id) }
}

/** Apps of one organization, or one app. */
export async function findAdminClients(
  db: ReadDb,
  selection: Pick<ClientSelection, 'client_id' | 'developer_id'>,
  limit: number,
): Promise<adminClients.AdminClient[]> {
  const rows = await listClients(db, { ...selection, except: UNREGISTERED }, { after: undefined, limit })
  return rows.map(toAdminClient)
}

function toAdminClient({
  developer_id,
  developer_name,
  sort_name: _,
  ...row
}: AdminClientRow): adminClients.AdminClient {
  return {
    ...row,
    type: row.type as adminClients.AdminClient['type'],
    enabled: fromFlag(row.enabled),
    verified: fromFlag(row.verified),
    trusted: fromFlag(row.trusted),
    organization: { id: developer_id, name: developer_name },
  }
}
