import { type InputOf, OPERATOR_ROLES, type OperatorRole, type operators, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { findUser, findUserByEmail, findUserForUpdate, findUsers, type User } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import * as store from './store.ts'

type SummaryDeps = Pick<AppDeps, 'db' | 'secondFactors'>

/** Lists the operators, the highest role first (operators §2). */
export async function listOperators(deps: SummaryDeps): Promise<operators.OperatorInfo[]> {
  const rows = await store.listOperators(deps.db)
  const found = await Promise.all(rows.map((row) => describe(deps, row)))
  const rank = ({ role }: operators.OperatorInfo) => OPERATOR_ROLES.indexOf(role)
  return found.filter((one) => one !== undefined).sort((a, b) => rank(b) - rank(a))
}

/** Gives a role to the account that has the confirmed address. */
export async function addOperator(
  deps: TransactionDeps,
  actor: OperatorActor,
  input: InputOf<typeof operators.addOperator>,
) {
  return await giveRole(deps, actor, input)
}

/** `addOperator` for an operator or a command. Throws `not_found` for an address without a confirmed account. */
export async function giveRole(
  deps: TransactionDeps,
  actor: AuditActor,
  { email, role }: { email: string; role: OperatorRole },
): Promise<operators.OperatorInfo> {
  const user = await findUserByEmail(deps.db, email)
  if (!user?.email_verified_at) throw problem('not_found', { fields: { email: 'wrong' } })
  await findUserForUpdate(deps.db, user.id)
  requireStillAdmin(await store.listOperatorsForUpdate(deps.db), actor)
  return await insertOperator(deps, actor, user, role)
}

/** Makes a user an operator. Throws `already_operator`. */
export async function makeOperator(
  deps: TransactionDeps,
  actor: AuditActor,
  user: User,
  role: OperatorRole,
): Promise<operators.OperatorInfo> {
  // Rules that treat operators otherwise lock the user before they read the role.
  await findUserForUpdate(deps.db, user.id)
  return await insertOperator(deps, actor, user, role)
}

/** `makeOperator` for a user who is locked. */
async function insertOperator(
  deps: TransactionDeps,
  actor: AuditActor,
  user: User,
  role: OperatorRole,
): Promise<operators.OperatorInfo> {
  const row = { user_id: user.id, role, added_at: toTime(deps.clock.now()) }
  if (!(await store.insertOperator(deps.db, row))) throw problem('already_operator', { fields: { email: 'taken' } })
  await recordRole(deps, actor, 'operator.added', row.user_id, [null, role])
  return toOperator(deps, row, user)
}

/** Changes the role of an operator. Throws `last_operator` and `already_decided`. */
export async function changeOperator(
  deps: TransactionDeps,
  actor: OperatorActor,
  { user_id, role, seen_role }: InputOf<typeof operators.changeOperator>,
): Promise<operators.OperatorInfo> {
  const row = await lockOperator(deps, actor, { user_id, next: role, seen: seen_role })
  const user = await findUser(deps.db, user_id)
  if (!user) throw problem('not_found')
  if (row.role !== role) {
    await store.updateRole(deps.db, user_id, role)
    await recordRole(deps, actor, 'operator.role_changed', user_id, [row.role, role])
  }
  return toOperator(deps, { ...row, role }, user)
}

/** Takes the role from an operator. Throws `last_operator` and `already_decided`. */
export async function removeOperator(
  deps: TransactionDeps,
  actor: OperatorActor,
  { user_id, seen_role }: InputOf<typeof operators.removeOperator>,
) {
  await removeRole(deps, actor, user_id, seen_role)
  return {}
}

/** `removeOperator` for an operator or a command. */
export async function removeRole(
  deps: TransactionDeps,
  actor: AuditActor,
  user_id: string,
  seen?: OperatorRole,
): Promise<void> {
  const row = await lockOperator(deps, actor, { user_id, next: null, seen })
  await store.deleteOperator(deps.db, user_id)
  await recordRole(deps, actor, 'operator.removed', user_id, [row.role, null])
}

/** Throws `last_operator` unless another admin can sign in: the installation would have nobody who can change it. */
export async function requireOtherAdmin(deps: TransactionDeps, user_id: string): Promise<void> {
  const admins = adminsOf(await store.listOperatorsForUpdate(deps.db))
  if (!admins.includes(user_id)) return
  const others = admins.filter((one) => one !== user_id)
  if (!(await canAnySignIn(deps, others, await deps.policy.findForShare(deps.db)))) throw problem('last_operator')
}

function adminsOf(operators: readonly store.OperatorRow[]): string[] {
  return operators.flatMap(({ role, user_id }) => (role === 'admin' ? [user_id] : []))
}

/** Returns the users whose account is neither disabled nor being deleted. */
async function findStaying(db: ReadDb, user_ids: readonly string[]): Promise<User[]> {
  const leaving = await store.findUsersBeingDeleted(db, user_ids)
  const users = await findUsers(db, user_ids)
  return users.filter(({ id, disabled_at }) => disabled_at === null && !leaving.includes(id))
}

type SignInWays = { password_sign_in: boolean; passkey_sign_in: boolean }

/** Whether one of the users can sign in where only these ways are on. */
async function canAnySignIn(deps: SummaryDeps, user_ids: readonly string[], ways: SignInWays): Promise<boolean> {
  const able = await Promise.all(
    (await findStaying(deps.db, user_ids)).map(async ({ id, password_hash }) => {
      if (ways.password_sign_in && password_hash !== null) return true
      return ways.passkey_sign_in && (await deps.secondFactors.find(deps.db, id)).passkeys > 0
    }),
  )
  return able.includes(true)
}

/** Throws `last_operator` unless an admin can sign in where only these ways are on. */
export async function requireAdminWhoCanSignIn(deps: SummaryDeps, ways: SignInWays): Promise<void> {
  const admins = adminsOf(await store.listOperators(deps.db))
  // A command may set the policy before there is an operator.
  if (admins.length > 0 && !(await canAnySignIn(deps, admins, ways))) throw problem('last_operator')
}

/** Locks the operators and returns one of them, whose role may become `next`. `seen`: the role that the decision rests on; undefined for any. */
async function lockOperator(
  deps: TransactionDeps,
  actor: AuditActor,
  { user_id, next, seen }: { user_id: string; next: OperatorRole | null; seen: OperatorRole | undefined },
) {
  await findUserForUpdate(deps.db, user_id)
  const all = await store.listOperatorsForUpdate(deps.db)
  requireStillAdmin(all, actor)
  const row = all.find((one) => one.user_id === user_id)
  if (!row) throw problem('not_found')
  if (seen !== undefined && row.role !== seen && row.role !== next) throw problem('already_decided')
  if (next !== 'admin') await requireOtherAdmin(deps, user_id)
  return row
}

/**
 * Checks the role of the actor again, now that the operators are locked: another admin may have removed it after the guard of the call has read it.
 * Throws what the guard throws, `not_found` or `insufficient_level`. Commands have no role.
 */
function requireStillAdmin(locked: readonly store.OperatorRow[], actor: AuditActor): void {
  if (actor === 'system' || !('user_id' in actor)) return
  const own = locked.find(({ user_id }) => user_id === actor.user_id)
  if (!own) throw problem('not_found')
  if (own.role !== 'admin') throw problem('insufficient_level', { params: { needed: 'admin' } })
}

async function recordRole(
  deps: TransactionDeps,
  actor: AuditActor,
  type: 'operator.added' | 'operator.role_changed' | 'operator.removed',
  user_id: string,
  role: [string | null, string | null],
): Promise<void> {
  await recordActivity(deps, { type: 'OPERATOR_ROLE_CHANGED', user_id, from: null, session_id: null })
  await recordAudit(deps, actor, { type, subject: { kind: 'operator', id: user_id }, changes: { role } })
}

async function describe(deps: SummaryDeps, row: store.OperatorRow): Promise<operators.OperatorInfo | undefined> {
  const user = await findUser(deps.db, row.user_id)
  return user && (await toOperator(deps, row, user))
}

async function toOperator(deps: SummaryDeps, row: store.OperatorRow, user: User): Promise<operators.OperatorInfo> {
  const { id, first_name, last_name, email, profile_picture } = user
  return {
    user: { id, first_name, last_name, email, profile_picture },
    role: row.role as OperatorRole,
    added_at: row.added_at,
    second_factor: await hasSecondFactor(deps, row.user_id),
  }
}

/** Whether the account has two-factor authentication or a passkey: what an operator must have. */
export async function hasSecondFactor(deps: SummaryDeps, user_id: string): Promise<boolean> {
  const { otp_enabled_at, passkeys } = await deps.secondFactors.find(deps.db, user_id)
  return otp_enabled_at !== null || passkeys > 0
}

/** Implements the extension point `OperatorRoles`. */
export async function findOperatorRole(db: ReadDb, user_id: string): Promise<OperatorRole | null> {
  return ((await store.findOperator(db, user_id))?.role as OperatorRole | undefined) ?? null
}

/** Implements `OperatorRoles`: a role counts with a second factor only (operators §1). */
export async function isAdmin(deps: SummaryDeps, user_id: string): Promise<boolean> {
  const found = await findOperatorAccess(deps, user_id)
  return found?.role === 'admin' && found.second_factor
}

/** Ids of the users who have a role. */
export async function listOperatorIds(db: ReadDb): Promise<string[]> {
  return (await store.listOperators(db)).map(({ user_id }) => user_id)
}

/** Read by the guard of operators' calls. */
export async function findOperatorAccess(deps: SummaryDeps, user_id: string) {
  const role = await findOperatorRole(deps.db, user_id)
  return role === null ? undefined : { role, second_factor: await hasSecondFactor(deps, user_id) }
}
