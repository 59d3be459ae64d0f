import type { adminClients } from '@vrata/contract'
import { type SqlBool, sql } from 'kysely'
import type { ReadDb } from '../../db/open.ts'
import { anywhere, folded } from '../../db/search-text.ts'
import { toFlag } from '../../db/values.ts'

const COLUMNS = [
  'clients.client_id',
  'clients.name',
  'clients.sort_name',
  'clients.icon',
  'clients.type',
  'clients.enabled',
  'clients.disabled_by',
  'clients.verified',
  'clients.trusted',
  'clients.approval',
  'clients.approval_reason',
  'clients.approval_asked_at',
  'clients.created_at',
  'clients.developer_id',
] as const

export type ClientSelection = {
  client_id?: string | undefined
  query?: string | undefined
  status?: adminClients.ClientStatus | undefined
  developer_id?: string | undefined
  /** Clients of this developer are left out. */
  except: string
}

/** Counts the apps that wait for approval. */
export async function countPendingClients(db: ReadDb): Promise<number> {
  const query = db
    .selectFrom('clients')
    .select((e) => e.fn.countAll().as('n'))
    .where('approval', '=', 'pending')
    .where('deleted_at', 'is', null)
  return Number((await query.executeTakeFirst())?.n ?? 0)
}

type Page = { after: { client_id: string; place: string } | undefined; limit: number }

/** Lists clients with their organizations, by name. */
export async function listClients(db: ReadDb, selection: ClientSelection, { after, limit }: Page) {
  const { client_id, query: text, status, developer_id, except } = selection
  let query = db
    .selectFrom('clients')
    .innerJoin('developers', 'developers.id', 'clients.developer_id')
    .select(COLUMNS)
    .select('developers.name as developer_name')
    .where('clients.developer_id', '!=', except)
    .where('clients.deleted_at', 'is', null)
    .orderBy('clients.sort_name')
    .orderBy('clients.client_id')
    .limit(limit)
  if (client_id !== undefined) query = query.where('clients.client_id', '=', client_id)
  if (text) {
    const name = sql<SqlBool>`clients.sort_name like ${anywhere(folded(text))} escape '\\'`
    query = query.where((e) => e.or([name, e('clients.client_id', '=', text)]))
  }
  if (status === 'pending' || status === 'rejected') query = query.where('clients.approval', '=', status)
  else if (status !== undefined)
    query = query.where('clients.approval', 'is', null).where('clients.enabled', '=', toFlag(status === 'enabled'))
  if (developer_id !== undefined) query = query.where('clients.developer_id', '=', developer_id)
  if (after)
    query = query
      .where('clients.sort_name', '>=', after.place)
      .where((e) => e.or([e('clients.sort_name', '>', after.place), e('clients.client_id', '>', after.client_id)]))
  return await query.execute()
}

export type AdminClientRow = Awaited<ReturnType<typeof listClients>>[number]
