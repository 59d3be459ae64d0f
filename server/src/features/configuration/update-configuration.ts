import { configuration, type InputOf, problem } from '@vrata/contract'
import type { TransactionOptions } from '../../db/open.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { selectUsersForUpdate } from '../account/public.ts'
import { type AuditActor, type NewAuditEvent, recordAuditEvents } from '../audit/public.ts'
import {
  DELIVERED_BRANDING,
  findBranding,
  planBranding,
  selectBrandingForUpdate,
  writeBranding,
} from '../branding/public.ts'
import {
  findGroupForUpdate,
  removeGroupMembers,
  writeGroupMembers,
  writeGroupTexts,
  writeNewGroup,
} from '../groups/public.ts'
import { replacePicture } from '../media/public.ts'
import { countAffected, findStoredPolicy, findStoredPolicyForUpdate, writePolicy } from '../policy/public.ts'
import { comparePictures, type PictureChange } from './pictures.ts'
import { type Plan, plan } from './plan.ts'
import type { GroupPlan } from './plan-groups.ts'

type Input = InputOf<typeof configuration.updateConfiguration>

/** Applies a document in one transaction, or returns what it would change (operators §13). */
export async function updateConfiguration(
  app: AppDeps,
  actor: OperatorActor,
  input: Input,
): Promise<configuration.ConfigurationChanges> {
  return await applyConfiguration(app, actor, input)
}

/** `updateConfiguration` for an operator or a command. */
export async function applyConfiguration(
  app: AppDeps,
  actor: AuditActor,
  { dry_run = false, ...sent }: Input,
  options?: TransactionOptions,
): Promise<configuration.ConfigurationChanges> {
  const { before: used } = planBranding(await findBranding(app.db), {})
  const pictures = await comparePictures(app, actor, { sent: sent.branding ?? {}, used, dry_run })
  if (dry_run) {
    const present = { policy: await findStoredPolicy(app.db), branding: await findBranding(app.db) }
    return await dryRun(app, await plan(app, sent, present, pictures))
  }
  const applied = await app.transaction(async (deps) => {
    const present = {
      policy: await findStoredPolicyForUpdate(deps.db),
      branding: await selectBrandingForUpdate(deps.db, DELIVERED_BRANDING),
    }
    const { before } = planBranding(present.branding, {})
    if (configuration.PICTURES.some((name) => before[name] !== used[name])) return undefined
    for (const { key } of sent.groups?.toSorted(byKey) ?? []) await findGroupForUpdate(deps.db, key)
    const planned = await plan(deps, sent, present, pictures)
    // Transactions that record events wait for each other, so all events come last.
    recordAuditEvents(deps, actor, await write(deps, planned, pictures))
    return { changes: planned.changes }
  }, options)
  // Another operator has changed a picture while those of the document were compared.
  return applied ?? (await applyConfiguration(app, actor, { ...sent, dry_run }, options))
}

/** A dry run also counts whom a change of the ways to sign in concerns. */
async function dryRun(
  app: AppDeps,
  { changes, policy: { before, after } }: Plan,
): Promise<configuration.ConfigurationChanges> {
  const ways = ['password_sign_in', 'passkey_sign_in', 'second_factor'] as const
  if (ways.every((name) => before[name] === after[name])) return { changes }
  const { password_sign_in, passkey_sign_in, second_factor } = after
  return {
    changes,
    affected: await countAffected(app, undefined, { password_sign_in, passkey_sign_in, second_factor }),
  }
}

/** Writes what has changed with the functions of the single calls. Returns the events to record. */
async function write(
  deps: TransactionDeps,
  { policy, branding, groups }: Plan,
  pictures: readonly PictureChange[],
): Promise<NewAuditEvent[]> {
  // People are locked before everything that ends with a group or a policy (db/lock-order.ts).
  const people = new Set(groups.flatMap(({ added, removed }) => [...added, ...removed].map(({ user_id }) => user_id)))
  const present = await selectUsersForUpdate(deps.db, [...people])
  // One of them was deleted meanwhile.
  if (present.length < people.size) throw problem('not_found')
  const events = [await writePolicy(deps, policy)]
  for (const { name, file } of pictures) await replacePicture(deps, branding.before[name], file)
  events.push(await writeBranding(deps, branding))
  for (const group of groups.toSorted(byKey)) events.push(...(await writeGroup(deps, group)))
  return events.filter((event) => event !== undefined)
}

async function writeGroup(deps: TransactionDeps, { key, before, after, added, removed }: GroupPlan) {
  const events = [
    before === null ? await writeNewGroup(deps, { key, ...after }) : await writeGroupTexts(deps, { key, ...after }),
  ]
  const idsOf = (members: GroupPlan['added']) => members.map(({ user_id }) => user_id)
  const left = await removeGroupMembers(deps, { key, user_ids: idsOf(removed) })
  const joined = await writeGroupMembers(deps, { key, user_ids: idsOf(added) })
  return [...events, ...left, ...joined]
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1
}
