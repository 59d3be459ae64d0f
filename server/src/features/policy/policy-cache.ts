import { DEFAULT_POLICY, type policy, type Quotas } from '@vrata/contract'
import type { Db, ReadDb, Store } from '../../db/open.ts'
import { findSetting, findSettingForShare, insertSetting } from '../../db/settings.ts'
import { fromJson } from '../../db/values.ts'
import type { PolicySource } from '../extension-points.ts'

/** The channel on which servers tell each other that the policy has changed. */
export const POLICY_CHANNEL = 'policy'
/** The setting with what operators have changed; the rest has the defaults. */
export const POLICY_SETTING = 'policy'
/**
 * Milliseconds after which the policy is read again. On SQLite a command of the same computer sends no signal; and what a transaction has read may
 * never be committed.
 */
const MAX_AGE = 500

/** Settings that operators have changed. */
export type StoredPolicy = Partial<Omit<policy.Policy, 'limits'>> & { limits?: Partial<Quotas> }

/** The policy as this process has read it last; calls need it too often to read it each time. */
export class PolicyCache implements PolicySource {
  readonly #defaults: policy.Policy
  #known: { policy: policy.Policy; until: number } | undefined
  /** The read under way; calls with the same handle share it. A signal ends that, because it may find what was before the change. */
  #reading: { db: ReadDb; policy: Promise<policy.Policy> } | undefined

  /** `limits` replaces default limits, for tests that create many objects. */
  constructor(signals: Store['signals'], limits: Partial<Quotas> = {}) {
    this.#defaults = { ...DEFAULT_POLICY, limits: { ...DEFAULT_POLICY.limits, ...limits } }
    signals.on(POLICY_CHANNEL, () => {
      this.#reading = undefined
      this.#known = undefined
    })
  }

  async find(db: ReadDb): Promise<policy.Policy> {
    const now = performance.now()
    if (this.#known && now < this.#known.until) return this.#known.policy
    if (this.#reading?.db === db) return await this.#reading.policy
    const reading = { db, policy: this.#read(db) }
    this.#reading = reading
    try {
      const policy = await reading.policy
      if (this.#reading === reading) this.#known = { policy, until: now + MAX_AGE }
      return policy
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  /** Reads the database, because the policy in memory may be older than a change on another server. */
  async findForShare(db: Db): Promise<policy.Policy> {
    await insertSetting(db, POLICY_SETTING, '{}')
    return this.complete(fromJson<StoredPolicy>((await findSettingForShare(db, POLICY_SETTING)) ?? '{}'))
  }

  async #read(db: ReadDb): Promise<policy.Policy> {
    return this.complete(fromJson<StoredPolicy>((await findSetting(db, POLICY_SETTING)) ?? '{}'))
  }

  complete(stored: StoredPolicy): policy.Policy {
    return { ...this.#defaults, ...stored, limits: { ...this.#defaults.limits, ...stored.limits } }
  }
}
