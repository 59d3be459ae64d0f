import { problem } from '@vrata/contract'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { type ClientRow, findClient, lockClient } from './store.ts'

/** An app of the member's organisation; another organisation's id is simply not found (house.md §7). */
export async function ownClient(deps: ReadDeps, actor: Member, client_id: string): Promise<ClientRow> {
  const client = await findClient(deps.db, actor.developer_id, client_id)
  if (!client) throw problem('not_found')
  return client
}

/** The same, for changing it: what the rule then checks stays true until its transaction has ended. */
export async function ownClientToChange(deps: Deps, actor: Member, client_id: string): Promise<ClientRow> {
  const client = await lockClient(deps.db, actor.developer_id, client_id)
  if (!client) throw problem('not_found')
  return client
}

/** Tells the slices that stand later, in this transaction, and with its commit every node that remembers the app. */
export async function tellChanged(deps: Deps, client_id: string): Promise<void> {
  await deps.tell('client_changed', { client_id })
  await deps.signals.announce('client', client_id)
}
