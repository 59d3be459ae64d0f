import type { audit, developers } from '@vrata/contract'
import { toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import type { UserActor } from '../../http/actors.ts'
import { newId } from '../../lib/ids.ts'
import { insertDeveloperActivity } from './activity-store.ts'

/** The client and other values that the sentence of an activity names. People are named by id: a name would outlive their account. */
export interface DeveloperActivityParams {
  client_id?: string
  [param: string]: string | undefined
}

/** What the audit log has besides: the id of the member, user or invitation concerned, and the changed settings. */
type AuditedPart = Pick<Events['developer_activity_recorded'], 'subject_id' | 'changes'>

/**
 * Records an action of a member in the transaction of that action (api §5). `params` keep the names of apps and settings of that moment.
 */
export async function recordDeveloperActivity(
  deps: TransactionDeps,
  actor: UserActor & { developer_id: string },
  type: developers.DeveloperActivityType,
  { client_id, ...params }: DeveloperActivityParams = {},
  audited: AuditedPart = {},
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
  const { developer_id, user_id, ip, request_id } = actor
  const from = { ip, request_id }
  await deps.emit('developer_activity_recorded', { developer_id, user_id, type, client_id, from, params, ...audited })
}

/** Returns the fields whose values differ between `row` and `changes`, with both values. */
export function changedFields<T extends object>(row: T, changes: Partial<NoInfer<T>>): audit.AuditChanges {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, value]) => {
      const before = row[name as keyof T]
      const isSame = JSON.stringify(before) === JSON.stringify(value)
      return isSame ? [] : [[name, [asValue(before), asValue(value)]]]
    }),
  )
}

/** Longest text of a value in the audit log. */
const LONGEST = 300

function asValue(value: unknown): audit.AuditChanges[string][0] {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
