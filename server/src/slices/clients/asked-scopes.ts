import { type InputOf, problem, type scopes } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { type Described, definedAmong, describeScopes, heldScopes } from '../scopes/door.ts'
import { setAskedScopes } from './asked-scope-store.ts'
import { ownClient } from './own-client.ts'
import { listClientsOfAnybody } from './store.ts'

/** What an app asks for, as people read it. */
export async function askedScopes(deps: ReadDeps, actor: Member, input: InputOf<typeof scopes.listAskedScopes>) {
  const client = await ownClient(deps, actor, input.id)
  const keys = fromJson<string[]>(client.scopes)
  return await withApps(deps.db, await describeScopes(deps.db, keys, input.language ?? actor.locale))
}

/** Puts beside each scope the app that defines it. */
export async function withApps<S extends Pick<Described, 'client_id'>>(db: ReadDb, described: readonly S[]) {
  const ids = new Set(described.map(({ client_id }) => client_id).filter((id) => id !== null))
  const apps = new Map((await listClientsOfAnybody(db, [...ids])).map((row) => [row.client_id, row]))
  return described.map((scope) => ({ ...scope, client: scope.client_id ? apps.get(scope.client_id) : undefined }))
}

/**
 * Chooses what an app may ask for: the product's own scopes and those that any app defines (decision 0109), each once.
 * Answers the list to be kept in its row.
 */
export async function chooseScopes({ db }: Pick<Deps, 'db'>, client_id: string, keys: readonly string[]) {
  const wanted = [...new Set(keys)]
  const held = await heldScopes(db as Db, wanted)
  const unknown = wanted.find((key) => !held.has(key))
  if (unknown !== undefined) {
    throw problem('unknown_scope', { fields: { scopes: 'unknown' }, params: { scope: unknown } })
  }
  await setAskedScopes(db, client_id, definedAmong(wanted))
  return wanted
}
