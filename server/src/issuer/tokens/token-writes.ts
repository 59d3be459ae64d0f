import type { Db } from '../../db/open.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { UseTime } from '../../features/connections/public.ts'
import { AlreadyConsumedError, SessionEndedError } from '../provider/provider-errors.ts'
import { type Write, type WriteStatements, writeAs } from '../request/writes.ts'
import { endTokensOfGrant } from './deletion/end-connection-tokens.ts'
import { parseGrantId } from './grant-ids.ts'
import { grantGuards, renewGrantGeneration, selectGrantForUpdate } from './grant-store.ts'
import {
  consumeGuard,
  consumeToken,
  deleteToken,
  insertTokens,
  restoreToken,
  type TokenKind,
  type TokenRow,
  type TokenSelection,
} from './store.ts'

type ConsumedToken = { token_hash: string; grant_id: string | undefined }

/**
 * Tokens that one response consumes, creates and deletes. The adapter's `find`, `consume`, `upsert`, `destroy` and
 * `revokeByGrantId` of the token models write it; `commit` runs it in the `writes` phase, and `commitResponse` reads
 * `consumedGrantId` when the commit has failed.
 */
export class TokenWrites {
  /** Grant of the token that this request consumes; it is revoked when another request has consumed the token first. */
  consumedGrantId: string | undefined
  /** Functions that undo the consumption of a code or token, by its hash. The models of other codes also add to it (decision 0035). */
  readonly restores = new Map<string, (db: Db) => Promise<void>>()
  /** Grants of the tokens that `find` has returned, by token. */
  readonly #grantIds = new Map<string, string>()
  readonly #schedule: (write: Write) => void
  readonly #now: string
  readonly #consumed: ConsumedToken[] = []
  readonly #created: TokenRow[] = []
  readonly #deleted: TokenSelection[] = []
  #hasDeleted = false

  /** `schedule` is called with the one write of all tokens when the first of them is known. */
  constructor(schedule: (write: Write) => void, now: string) {
    this.#schedule = schedule
    this.#now = now
  }

  /** Kinds of the tokens that are created. */
  get createdKinds(): string[] {
    return this.#created.map(({ kind }) => kind)
  }

  /** The last use of a connection that is to be written where the tokens lock it. Written by `recordUse`. */
  lastUse: ((connection_id: string) => Promise<UseTime | undefined>) | undefined

  /** Whether the guards of the tokens lock this connection. */
  locks(connection_id: string): boolean {
    return [...this.#grants()].some((grant_id) => parseGrantId(grant_id).connection_id === connection_id)
  }

  /** Whether tokens were deleted, known in the `finalWrites` phase: another request may have deleted them before. */
  get hasDeleted(): boolean {
    return this.#hasDeleted
  }

  found(token: string, grant_id: string): void {
    this.#grantIds.set(token, grant_id)
  }

  /** Hashes of the tokens that are created. */
  get created(): string[] {
    return this.#created.map(({ token_hash }) => token_hash)
  }

  consume(token: string, token_hash: string): void {
    this.consumedGrantId = this.#grantIds.get(token)
    this.restores.set(token_hash, (db) => restoreToken(db, token_hash))
    this.#scheduleOnce()
    this.#consumed.push({ token_hash, grant_id: this.consumedGrantId })
  }

  create(row: TokenRow): void {
    this.#scheduleOnce()
    this.#created.push(row)
  }

  delete(token: string, token_hash: string): void {
    this.#scheduleOnce()
    this.#deleted.push({ token_hash, grant_id: this.#grantIds.get(token) })
  }

  /** Deletes the tokens of one kind, or of all kinds. */
  deleteOfGrant(grant_id: string, kind?: TokenKind): void {
    this.#scheduleOnce()
    this.#deleted.push(kind ? { grant_id, kind } : { grant_id })
  }

  /** Consumes and creates nothing. */
  leaveOut(): void {
    this.#consumed.length = 0
    this.#created.length = 0
    this.restores.clear()
  }

  #scheduleOnce(): void {
    if (this.#consumed.length + this.#created.length + this.#deleted.length > 0) return
    this.#schedule(
      writeAs(
        () => this.#statements(),
        (deps) => this.#write(deps),
      ),
    )
  }

  /** The same as `#write` while nothing is deleted. */
  async #statements(): Promise<WriteStatements | undefined> {
    if (this.#deleted.length > 0) return undefined
    const consumed = new Set(this.#consumed.map(({ grant_id }) => grant_id))
    const guards = await Promise.all(
      [...this.#grants()].map(async (grant_id) => {
        const grant = parseGrantId(grant_id)
        const use = await this.lastUse?.(grant.connection_id)
        return grantGuards(grant, { isConsumed: consumed.has(grant_id), use })
      }),
    )
    return {
      guards: [...guards.flat(), ...this.#consumed.map(({ token_hash }) => consumeGuard(token_hash, this.#now))],
      writes: this.#created.length > 0 ? [insertTokens.with(...this.#created)] : [],
    }
  }

  /** Tokens of the client credentials grant have no grant id. */
  #grants(): Set<string> {
    return new Set([...this.#consumed, ...this.#created, ...this.#deleted].flatMap(({ grant_id }) => grant_id ?? []))
  }

  /**
   * Locks session and connection before tokens are consumed or deleted, as a transaction that ends one of them locks it
   * before it deletes its tokens (decision 0012). May run again when the transaction is repeated.
   */
  async #write(deps: TransactionDeps): Promise<void> {
    const { db } = deps
    const [consumed, created] = [this.#consumed, this.#created]
    const [grantsAreLive, consumedNow, hasDeleted] = await Promise.all([
      Promise.all([...this.#grants()].map((grant_id) => selectGrantForUpdate(db, parseGrantId(grant_id)))),
      // oidc-provider ignores the outcome of `consume`, so the condition is in the write (protocol §3.1).
      Promise.all(consumed.map(({ token_hash }) => consumeToken(db, token_hash, this.#now))),
      this.#delete(deps),
    ])
    this.#hasDeleted = hasDeleted
    if (consumedNow.includes(false)) throw new AlreadyConsumedError()
    if (created.length === 0) return
    if (grantsAreLive.includes(false)) throw new SessionEndedError()
    await insertTokens(db, ...created)
  }

  /** One after the other, because each may renew the connection. Returns whether there were some. */
  async #delete(deps: TransactionDeps): Promise<boolean> {
    let some = false
    for (const which of this.#deleted) {
      const now =
        'token_hash' in which
          ? await deleteToken(deps.db, which.token_hash)
          : await endTokensOfGrant(deps, which.grant_id, which.kind)
      some ||= now
    }
    const ended = this.#deleted.flatMap((which) => ('token_hash' in which ? [] : which.grant_id))
    if (some) for (const grant_id of new Set(ended)) await renewGrantGeneration(deps, grant_id)
    return some
  }
}

/**
 * Deletes all tokens of a grant, after a token of it was consumed a second time (RFC 9700 §4.14.2). Returns false when
 * another request has deleted them.
 */
export async function deleteTokensOfGrant(deps: TransactionDeps, grant_id: string): Promise<boolean> {
  await selectGrantForUpdate(deps.db, parseGrantId(grant_id))
  const ended = await endTokensOfGrant(deps, grant_id)
  if (ended) await renewGrantGeneration(deps, grant_id)
  return ended
}
