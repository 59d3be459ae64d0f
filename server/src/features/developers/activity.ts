import type { developers } from '@vrata/contract'
import { toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { insertDeveloperActivity } from './activity-store.ts'

/** The client and other values that the sentence of an activity names. */
export interface DeveloperActivityParams {
  client_id?: string
  [param: string]: string | undefined
}

/**
 * Records an action of a member in the transaction of that action (api §5). `params` keep the names of that moment.
 */
export async function recordDeveloperActivity(
  deps: TransactionDeps,
  actor: UserActor & { developer_id: string },
  type: developers.DeveloperActivityType,
  { client_id, ...params }: DeveloperActivityParams = {},
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
  await deps.emit('developer_activity_recorded', { developer_id, user_id, type, client_id })
}

/** Returns the names of the fields whose values differ between `row` and `changes`. */
export function changedFields<T extends object>(row: T, changes: Partial<NoInfer<T>>): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (row[name as keyof T] === value ? [] : [name]))
}
