import type { developers } from '@vrata/contract'
import { toJson, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { newId } from '../../ports/ids.ts'
import { insertDeveloperActivity } from './activity-store.ts'

/** What the sentence about it needs: the app, and whatever else has to be named. */
export interface Told {
  client_id?: string
  [param: string]: string | undefined
}

/**
 * Writes down what somebody did in an organisation, in the transaction in which they do it (api.md §5). `params` are
 * kept as text: the names of that moment, not those of today.
 */
export async function recordInDeveloper(
  deps: Deps,
  actor: Person & { developer_id: string },
  type: developers.DeveloperActivityType,
  { client_id, ...params }: Told = {},
): Promise<void> {
  await insertDeveloperActivity(deps.db, {
    id: newId(deps.clock),
    developer_id: actor.developer_id,
    type,
    user_id: actor.user_id,
    client_id: client_id ?? null,
    params: toJson(params),
    created_at: toTime(deps.clock.now()),
  })
  const { developer_id, user_id } = actor
  await deps.tell('done_in_developer', { developer_id, user_id, type, client_id })
}

/** Names of the fields that a change really changes, as they stand on the wire. */
export function changed<T extends object>(row: T, changes: Partial<NoInfer<T>>): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (row[name as keyof T] === value ? [] : [name]))
}
