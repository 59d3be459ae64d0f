import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { ReadDb } from '../../db/open.ts'
import { findSetting, insertSetting, upsertSetting } from '../../db/settings.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { type Encryption, hmac } from '../../lib/encryption.ts'
import type { SubjectIdentifiers } from '../extension-points.ts'
import type { ClientRow } from './store.ts'

/** Setting with the key of pairwise subjects, encrypted. It never changes: apps would take all users for new ones. */
const SETTING = 'pairwise_key'

/** Creates the key where there is none, which costs a transaction; one that exists costs a read. Safe when two processes start at once. */
export async function ensurePairwiseKey({ db, transaction }: Pick<AppDeps, 'db' | 'transaction'>): Promise<void> {
  if ((await findSetting(db, SETTING)) !== undefined) return
  await transaction((tx) =>
    insertSetting(tx.db, SETTING, tx.encryption.encrypt(randomBytes(32).toString('base64url'), SETTING)),
  )
}

/** Encrypts the key with the current secret; returns 1 when it was encrypted with another one. */
export async function resealPairwiseKey({
  db,
  encryption,
}: Pick<TransactionDeps, 'db' | 'encryption'>): Promise<number> {
  const sealed = await findSetting(db, SETTING)
  const resealed = sealed && encryption.reseal(sealed, SETTING)
  if (!resealed) return 0
  await upsertSetting(db, SETTING, resealed)
  return 1
}

/**
 * The `sub` of users at clients (OpenID Connect Core §8): the id of the user, or for pairwise clients an HMAC of sector and id, so that
 * clients of different sectors cannot find out that they have the same user.
 */
export class Subjects implements SubjectIdentifiers {
  readonly #db: ReadDb
  readonly #encryption: Pick<Encryption, 'decrypt'>
  #key: KeyObject | undefined

  constructor(db: ReadDb, encryption: Pick<Encryption, 'decrypt'>) {
    this.#db = db
    this.#encryption = encryption
  }

  async of({ sector_identifier }: Pick<ClientRow, 'sector_identifier'>, user_id: string): Promise<string> {
    if (sector_identifier === null) return user_id
    this.#key ??= createSecretKey(await this.#readKey())
    return hmac(this.#key, `${sector_identifier} ${user_id}`)
  }

  async #readKey(): Promise<Buffer> {
    const sealed = await findSetting(this.#db, SETTING)
    if (sealed === undefined) throw new Error('there is no key of pairwise subjects')
    return Buffer.from(this.#encryption.decrypt(sealed, SETTING), 'base64url')
  }
}
