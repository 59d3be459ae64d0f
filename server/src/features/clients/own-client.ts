import { problem } from '@vrata/contract'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { type ClientRow, findClient, findClientForUpdate } from './store.ts'

/** Returns a client of the actor's developer account. Throws `not_found` for clients of others (architecture §6.1). */
export async function findOwnClient(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  client_id: string,
): Promise<ClientRow> {
  const client = await findClient(deps.db, actor.developer_id, client_id)
  if (!client) throw problem('not_found')
  return client
}

/** Locks the client, so that what the rule checks stays true until its transaction ends. */
export async function findOwnClientForUpdate(
  deps: TransactionDeps,
  actor: MemberActor,
  client_id: string,
): Promise<ClientRow> {
  const client = await findClientForUpdate(deps.db, actor.developer_id, client_id)
  if (!client) throw problem('not_found')
  return client
}

/** Emits `client_changed` and, on commit, invalidates the client cache of every node. */
export async function announceClientChange(deps: TransactionDeps, client_id: string): Promise<void> {
  await deps.emit('client_changed', { client_id })
  await deps.signals.announce('client', client_id)
}
