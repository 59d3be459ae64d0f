import { findSetting, upsertSetting } from '../../../db/settings.ts'
import { fromJson, toJson } from '../../../db/values.ts'
import type { TransactionDeps } from '../../../deps.ts'

/** Purpose of the key with which recovery codes are hashed. */
export const RECOVERY_CODE_KEY = 'recovery-code'

/** Setting with the keys of former secrets, encrypted. */
const SETTING = 'recovery_code_keys'

/**
 * Keys of accepted and former secrets. Hashes cannot be renewed without the codes, so the codes of a former secret are
 * recognized by its key.
 */
export async function recoveryCodeKeys(deps: Pick<TransactionDeps, 'db' | 'encryption'>): Promise<Buffer[]> {
  return [...deps.encryption.keys(RECOVERY_CODE_KEY), ...(await carriedKeys(deps))]
}

/** Stores the keys of the secrets that the current one replaces. */
export async function carryRecoveryCodeKeys(deps: Pick<TransactionDeps, 'db' | 'encryption'>): Promise<void> {
  const [, ...others] = deps.encryption.keys(RECOVERY_CODE_KEY)
  const keys = [...(await carriedKeys(deps)), ...others].map((key) => key.toString('base64url'))
  await upsertSetting(deps.db, SETTING, deps.encryption.encrypt(toJson([...new Set(keys)]), SETTING))
}

async function carriedKeys({ db, encryption }: Pick<TransactionDeps, 'db' | 'encryption'>): Promise<Buffer[]> {
  const sealed = await findSetting(db, SETTING)
  if (sealed === undefined) return []
  return fromJson<string[]>(encryption.decrypt(sealed, SETTING)).map((key) => Buffer.from(key, 'base64url'))
}
