import { type audit, type FieldCode, type InputOf, type policy, problem } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { findSetting, findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import { fromJson, toJson } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { defined } from '../../lib/defined.ts'
import { type AuditActor, type NewAuditEvent, recordAudit } from '../audit/public.ts'
import { requireAdminWhoCanSignIn } from '../operators/public.ts'
import { POLICY_CHANNEL, POLICY_SETTING, type StoredPolicy } from './policy-cache.ts'

export type PolicyChanges = InputOf<typeof policy.updatePolicy>

/** The policy in force (operators §8). */
export async function getPolicy({ db, policy }: Pick<AppDeps, 'db' | 'policy'>): Promise<policy.Policy> {
  return await policy.find(db)
}

/** The public part of the policy. */
export async function getPublicPolicy(deps: Pick<AppDeps, 'db' | 'policy' | 'config'>): Promise<policy.PublicPolicy> {
  const known = publicPart(await deps.policy.find(deps.db))
  return { ...known, qr_sign_in: known.qr_sign_in && deps.config.qr_sign_in }
}

/** The public settings. */
export function publicPart(whole: policy.Policy): policy.PublicPolicy {
  const { registration, registration_domains, password_sign_in, passkey_sign_in, qr_sign_in } = whole
  const { password_min_length, terms_url, privacy_url, terms_version } = whole
  const { organization_creation, app_creation } = whole
  return {
    registration,
    registration_domains,
    organization_creation,
    app_creation,
    password_sign_in,
    passkey_sign_in,
    qr_sign_in,
    password_min_length,
    terms_url,
    privacy_url,
    terms_version,
  }
}

/** Changes the named settings. Throws `last_operator` when no administrator could sign in any more. */
export async function updatePolicy(deps: TransactionDeps, actor: OperatorActor, changes: PolicyChanges) {
  return await changePolicy(deps, actor, changes)
}

/** `updatePolicy` for an operator or a command. */
export async function changePolicy(
  deps: TransactionDeps,
  actor: AuditActor,
  changes: PolicyChanges,
): Promise<policy.Policy> {
  const plan = planPolicy(deps, await findStoredForUpdate(deps.db), changes)
  await requirePossible(deps, plan)
  const event = await writePolicy(deps, plan)
  if (event) await recordAudit(deps, actor, event)
  return plan.after
}

/** Settings that operators have changed. */
export async function findStored(db: ReadDb): Promise<StoredPolicy> {
  return fromJson((await findSetting(db, POLICY_SETTING)) ?? '{}')
}

/** Locks what operators have set, and returns it. */
export async function findStoredForUpdate(db: Db): Promise<StoredPolicy> {
  await insertSetting(db, POLICY_SETTING, '{}')
  return fromJson((await findSettingForUpdate(db, POLICY_SETTING)) ?? '{}')
}

/** The policy after a change. */
export interface PolicyPlan {
  stored: StoredPolicy
  before: policy.Policy
  after: policy.Policy
  changes: audit.AuditChanges
}

export function planPolicy(deps: Pick<AppDeps, 'policy'>, stored: StoredPolicy, changes: PolicyChanges): PolicyPlan {
  const next = { ...stored, ...defined(changes), limits: { ...stored.limits, ...defined(changes.limits ?? {}) } }
  if (next.registration_domains) next.registration_domains = [...new Set(next.registration_domains)].sort()
  const [before, after] = [deps.policy.complete(stored), deps.policy.complete(next)]
  return { stored: next, before, after, changes: differences(before, after) }
}

/** Throws `invalid_request` for settings that contradict each other, and `last_operator`. `at` is the path of the policy in the input. */
export async function requirePossible(
  deps: Pick<AppDeps, 'db' | 'secondFactors'>,
  { after, changes }: PolicyPlan,
  at = '',
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const fields = contradictions(after)
  if (Object.keys(fields).length > 0) {
    const named = Object.entries(fields).map(([name, code]) => [at + name, code])
    throw problem('invalid_request', { fields: Object.fromEntries(named) })
  }
  await requireAdminWhoCanSignIn(deps, after)
}

/** Writes a planned change of the locked policy. Returns the event that the caller records; undefined without a change. */
export async function writePolicy(
  deps: TransactionDeps,
  { stored, before, after, changes }: PolicyPlan,
): Promise<NewAuditEvent | undefined> {
  if (Object.keys(changes).length === 0) return undefined
  await upsertSetting(deps.db, POLICY_SETTING, toJson(stored))
  await deps.emit('policy_changed', { before, after })
  await deps.signals.announce(POLICY_CHANNEL, '')
  return { type: 'policy.changed', subject: { kind: 'policy', id: POLICY_SETTING }, changes }
}

function contradictions(policy: policy.Policy): Record<string, FieldCode> {
  const fields: Record<string, FieldCode> = {}
  if (policy.registration === 'domains' && policy.registration_domains.length === 0)
    fields.registration_domains = 'required'
  if (!policy.password_sign_in && !policy.passkey_sign_in) fields.passkey_sign_in = 'required'
  if (policy.terms_version !== null && policy.terms_url === null) fields.terms_url = 'required'
  if (policy.session_idle_days > policy.session_max_days) fields.session_idle_days = 'too_big'
  return fields
}

/** Changed settings by name, those of `limits` by `limits.name`, with their values before and after. */
function differences(before: policy.Policy, after: policy.Policy): audit.AuditChanges {
  const old = flat(before)
  return Object.fromEntries(
    Object.entries(flat(after)).flatMap(([name, value]) =>
      old[name] === value ? [] : [[name, [old[name] ?? null, value]] as const],
    ),
  )
}

function flat({
  limits,
  registration_domains,
  ...rest
}: policy.Policy): Record<string, string | number | boolean | null> {
  return {
    ...rest,
    registration_domains: registration_domains.join(', '),
    ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limits.${name}`, value])),
  }
}
