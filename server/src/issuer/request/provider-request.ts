import type { FastifyRequest } from 'fastify'
import { type TimeText, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { ClientErrorLog } from '../../features/client-diagnostics/public.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import type { ClientCertificate } from '../certificates/client-certificate.ts'
import type { ClientKeys } from '../keys/client-keys.ts'
import type { PublishedKeys } from '../keys/published-keys.ts'
import type { ClientCache } from '../provider/clients/client-cache.ts'
import { OutdatedRowError } from '../provider/provider-errors.ts'
import type { Act } from '../tokens/exchange/act.ts'
import { isTokenStored } from '../tokens/store.ts'
import { TokenWrites } from '../tokens/token-writes.ts'
import { ClientErrorDraft } from './client-error-draft.ts'
import { CommitUnknown, commitSurely } from './commit-surely.ts'
import type { InteractionState } from './interaction-state.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { Reads } from './reads.ts'
import type { RememberedRows } from './remembered-rows.ts'
import type { UnknownCommits } from './unknown-commits.ts'
import type { Write } from './writes.ts'

/** Milliseconds after its arrival in which a request may begin to commit again; each is answered within five seconds (decision 0011). */
export const COMMIT_AGAIN = { milliseconds: 4_000 }

/** Facts about the request before oidc-provider handles it. */
export interface ProviderRequestOptions {
  clients: Pick<ClientCache, 'find'>
  keys: Pick<ClientKeys, 'of'>
  /** Our own keys when the request arrived. */
  publishedKeys: PublishedKeys
  clientErrors: Pick<ClientErrorLog, 'record'>
  unknownCommits: Pick<UnknownCommits, 'add' | 'find' | 'undo'>
  /** Rows that need not be read. Undefined for requests that oidc-provider answers, which reads, and on SQLite, where reads cost little. */
  remembered?: RememberedRows | undefined
  /** Value of the session cookie (api §2.1). */
  sessionCookie: string | undefined
  /** The certificate of the client's TLS connection (RFC 8705). */
  certificate?: ClientCertificate | undefined
  visitor: () => AnonymousActor
  /** Path of the URL. */
  path: string
  /** The secret in the form that confirms a sign-out. */
  xsrf?: string | undefined
  /** Members of the log line; the FastifyRequest, when there is one. */
  logged?: Pick<FastifyRequest, 'client_id' | 'user_id' | 'problem' | 'grant_type'>
  /** Request of a test sign-in on behalf of a client whose developer the API has authenticated. */
  test?: boolean
}

/**
 * One request to oidc-provider: what it has read, and what it writes in one transaction before the response is sent, so
 * that a consumed code and the tokens created from it commit together (protocol §4.7). Created by `serveProvider`'s
 * callers, committed by `commitResponse`.
 */
export class ProviderRequest {
  readonly deps: AppDeps
  readonly options: ProviderRequestOptions
  /** When the request arrived. */
  readonly now: Date
  readonly nowText: TimeText
  readonly #arrived = performance.now()

  readonly reads: Reads
  readonly interaction: InteractionState = { resumed: undefined, requested: { scopes: [] } }
  readonly clientError = new ClientErrorDraft()

  /**
   * First phase of the commit, one after another: writes that lock rows exclusively which later phases lock shared. In
   * the other order two transactions could each wait for the other's shared lock (decision 0012).
   */
  readonly lockingWrites: Write[] = []
  /** Second phase, all at once: their statements travel together. */
  readonly writes: Write[] = []
  /** Third phase: writes to rows that requests of other users also write, so that all requests lock them last. */
  readonly finalWrites: Write[] = []
  /** Writes among them that record how the client has authenticated. They are made also when the grant is refused at the commit. */
  readonly keptWrites: Write[] = []
  /** Scheduled as one of `writes`. */
  readonly tokens: TokenWrites

  /** Services that act for the user. Written by the token exchange grant, read by the hook `extraTokenClaims`. */
  act: Act | undefined = undefined
  /** The session that ended. Written by the `session.destroyed` event, read by `commitResponse`, which clears our cookies. */
  signedOut: string | undefined = undefined
  /** Whether the response is an error. Written by `commitResponse` before it commits. */
  refused = false
  /** Written when reading or committing has failed for want of the database; the response is then 503. */
  unavailable = false

  constructor(deps: AppDeps, options: ProviderRequestOptions) {
    this.deps = deps
    this.options = options
    this.now = deps.clock.now()
    this.nowText = toTime(this.now)
    this.reads = new Reads(deps.db, this.now, options)
    this.tokens = new TokenWrites((write) => this.writes.push(write), this.nowText)
  }

  /** Ends the session with its codes and tokens, as the user's own sign-out does. */
  signOut({ session_id, user_id }: { session_id: string; user_id: string }): void {
    this.signedOut = session_id
    this.writes.push((deps) => deps.revoke('signed_out', { user_id, session_ids: [session_id] }))
  }

  /** Codes and tokens that the request would have consumed stay usable, because those that it would have created are not sent (decision 0035). */
  refuse(): void {
    this.refused = true
    this.tokens.leaveOut()
  }

  failed(error: unknown): void {
    if (isDatabaseUnavailable(error)) this.unavailable = true
    else this.deps.log.error({ err: error }, 'oidc-provider request failed')
  }

  /**
   * Runs the three phases in one transaction. The first write that fails undoes all. Writes that are known as statements are sent
   * together; when a guard among them does not hold, the phases find out why. After a remembered row was used, the request has to be answered
   * anew instead.
   */
  async commit(): Promise<void> {
    const phases = [this.lockingWrites, this.writes, this.finalWrites].map((phase) => phase.splice(0))
    const [lockingWrites = [], writes = [], finalWrites = []] = phases
    if (phases.every((phase) => phase.length === 0)) return
    await this.#surely(async () => {
      if (await this.#together(phases.flat())) return
      if (this.reads.assumed.length > 0) throw new OutdatedRowError()
      await this.deps.transaction(async (deps) => {
        for (const write of lockingWrites) await write(deps)
        await Promise.all(writes.map((write) => write(deps)))
        await Promise.all(finalWrites.map((write) => write(deps)))
      })
    })
    for (const kind of this.tokens.createdKinds) this.deps.meter.token(kind)
  }

  /** Tokens are created once, so a commit that creates some can be repeated. */
  async #surely(commit: () => Promise<void>): Promise<void> {
    const { created, restores } = this.tokens
    const [one] = created
    if (one === undefined) return await commit()
    try {
      await commitSurely(commit, () => isTokenStored(this.deps.db, one), this.#arrived + COMMIT_AGAIN.milliseconds)
    } catch (error) {
      if (error instanceof CommitUnknown) this.options.unknownCommits.add({ created, restores })
      throw error
    }
  }

  async #together(writes: readonly Write[]): Promise<boolean> {
    if (writes.some(({ statements }) => statements === undefined)) return false
    const parts = await Promise.all(writes.map((write) => write.statements?.(this.deps)))
    if (parts.includes(undefined)) return false
    const guards = [...parts.flatMap((part) => part?.guards ?? []), ...this.reads.assumed]
    const guarded = { guards, writes: parts.flatMap((part) => part?.writes ?? []) }
    const events = parts.flatMap((part) => part?.events ?? [])
    const isEmpty = guarded.guards.length + guarded.writes.length === 0
    if (!isEmpty && !(await this.deps.together(guarded, events))) return false
    for (const part of parts) part?.after?.()
    return true
  }

  /** oidc-provider uses seconds of the machine's clock; our tables use `Clock`. They differ only in tests. */
  toProviderTime(time: string): number {
    return Math.floor((Date.parse(time) - this.now.getTime() + Date.now()) / 1000)
  }

  fromProviderTime(seconds: number): string {
    return toTime(new Date(seconds * 1000 - Date.now() + this.now.getTime()))
  }
}
