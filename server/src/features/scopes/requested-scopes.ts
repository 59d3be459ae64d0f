import type { InputOf, scopes } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findOwnClient, listClientsById } from '../clients/public.ts'
import { describeScopes, type ScopeWithClient } from '../scope-catalog/public.ts'

/** Lists the scopes that a client requests, with their texts in one language. */
export async function listRequestedScopes(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  input: InputOf<typeof scopes.listRequestedScopes>,
) {
  const client = await findOwnClient(deps, actor, input.id)
  const keys = fromJson<string[]>(client.scopes)
  return await withClients(deps.db, await describeScopes(deps.db, keys, input.language ?? actor.locale))
}

/** Adds to each scope the client that defines it. */
export async function withClients<S extends Pick<ScopeWithClient, 'client_id'>>(db: ReadDb, described: readonly S[]) {
  const ids = new Set(described.map(({ client_id }) => client_id).filter((id) => id !== null))
  const apps = new Map((await listClientsById(db, [...ids])).map((row) => [row.client_id, row]))
  return described.map((scope) => ({ ...scope, client: scope.client_id ? apps.get(scope.client_id) : undefined }))
}
