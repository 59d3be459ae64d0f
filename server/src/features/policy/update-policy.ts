import { type audit, type FieldCode, type InputOf, type policy, problem } from '@vrata/contract'
import { findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import { fromJson, toJson } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { requireAdminWhoCanSignIn } from '../operators/public.ts'
import { POLICY_CHANNEL, POLICY_SETTING, type StoredPolicy } from './policy-cache.ts'

export type PolicyChanges = InputOf<typeof policy.updatePolicy>

/** The policy in force (operators §8). */
export async function getPolicy({ db, policy }: Pick<AppDeps, 'db' | 'policy'>): Promise<policy.Policy> {
  return await policy.find(db)
}

/** What everybody may know of it. */
export async function getPublicPolicy(deps: Pick<AppDeps, 'db' | 'policy' | 'config'>): Promise<policy.PublicPolicy> {
  const known = publicPart(await deps.policy.find(deps.db))
  return { ...known, qr_sign_in: known.qr_sign_in && deps.config.qr_sign_in }
}

/** The settings that everybody may know. */
export function publicPart(whole: policy.Policy): policy.PublicPolicy {
  const { registration, registration_domains, password_sign_in, passkey_sign_in, qr_sign_in } = whole
  const { password_min_length, terms_url, privacy_url, terms_version } = whole
  const ways = { registration, registration_domains, password_sign_in, passkey_sign_in, qr_sign_in }
  return { ...ways, password_min_length, terms_url, privacy_url, terms_version }
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
  await insertSetting(deps.db, POLICY_SETTING, '{}')
  const stored = fromJson<StoredPolicy>((await findSettingForUpdate(deps.db, POLICY_SETTING)) ?? '{}')
  const next = { ...stored, ...defined(changes), limits: { ...stored.limits, ...defined(changes.limits ?? {}) } }
  if (next.registration_domains) next.registration_domains = [...new Set(next.registration_domains)].sort()
  const before = deps.policy.complete(stored)
  const after = deps.policy.complete(next)
  const changed = differences(before, after)
  if (Object.keys(changed).length === 0) return after
  requireConsistent(after)
  await requireAdminWhoCanSignIn(deps, after)
  await upsertSetting(deps.db, POLICY_SETTING, toJson(next))
  await deps.emit('policy_changed', { before, after })
  await deps.signals.announce(POLICY_CHANNEL, '')
  await recordAudit(deps, actor, {
    type: 'policy.changed',
    subject: { kind: 'policy', id: POLICY_SETTING },
    changes: changed,
  })
  return after
}

function requireConsistent(policy: policy.Policy): void {
  const fields: Record<string, FieldCode> = {}
  if (policy.registration === 'domains' && policy.registration_domains.length === 0)
    fields.registration_domains = 'required'
  if (!policy.password_sign_in && !policy.passkey_sign_in) fields.passkey_sign_in = 'required'
  if (policy.terms_version !== null && policy.terms_url === null) fields.terms_url = 'required'
  if (policy.session_idle_days > policy.session_max_days) fields.session_idle_days = 'too_big'
  if (Object.keys(fields).length > 0) throw problem('invalid_request', { fields })
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

function defined<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never
}
