import { withoutRootSlash } from '@vrata/contract/fields'
import type { Guard, ReadDb } from '../../db/open.ts'
import type { User } from '../../features/account/public.ts'
import { hasAccess } from '../../features/client-access/public.ts'
import { findIssuerClient, type IssuerClient } from '../../features/clients/public.ts'
import { type Connection, findConnection, isUserBlocked, toConnection } from '../../features/connections/public.ts'
import { findResource, type ResourceRow } from '../../features/scopes/public.ts'
import { acceptedSession, findSessionByToken, type SessionRow } from '../../features/sessions/public.ts'
import type { ClientCache } from '../provider/clients/client-cache.ts'
import type { ClaimsRow } from '../tokens/claims.ts'
import type { RememberedRows } from './remembered-rows.ts'
import { findClaims, findSignedIn, type SignedInBy, type SignedInRow, unchangedSignedIn } from './signed-in-store.ts'

/** The columns of a user that decide about sign-in and claims. */
export type ProviderUser = ClaimsRow & Pick<User, 'disabled_at' | 'token_generation'>

/** The rows behind a grant id (protocol §3.2). */
export interface GrantOwner {
  user_id: string
  /** The client of the token. */
  client_id: string
  /** The client that the user has allowed; another one for an exchanged token (decision 0094). */
  allowed_client_id: string
  session_id: string
}

/**
 * Reads of one provider request, each made once (protocol §4.7). Every hook may read. Rows that were read together with a
 * token or a grant are added by the adapter's `find` of that token and by `loadExistingGrant`.
 */
export class Reads {
  /**
   * Owners of the grants that this request has read, by grant id. Written by `find` of a token or device code and by
   * `loadExistingGrant`; read by `find` of the Grant and Session models, which oidc-provider calls afterwards.
   */
  readonly grants = new Map<string, GrantOwner>()

  /** APIs that this request names, by `resource`. Written by `getResourceServerInfo`, read by `find` of the Grant model. */
  readonly resources = new Map<string, Promise<ResourceRow | undefined>>()

  /**
   * Guards of the remembered rows that this request uses without having read them. The commit fails with `OutdatedRowError` unless all hold. Written
   * by `sessionFor` and by the native grants.
   */
  readonly assumed: Guard[] = []

  readonly #db: ReadDb
  readonly #now: Date
  readonly #sessionCookie: string | undefined
  readonly #cache: Pick<ClientCache, 'find'>
  readonly #clients = new Map<string, Promise<IssuerClient | undefined>>()
  readonly #connections = new Map<string, Promise<Connection | undefined>>()
  readonly #users = new Map<string, Promise<ProviderUser | undefined>>()
  readonly #remembered: RememberedRows | undefined
  /** Where the row of `sessionFor` is remembered. */
  #signedInKey: string | undefined
  #session: Promise<SessionRow | undefined> | undefined

  constructor(
    db: ReadDb,
    now: Date,
    from: {
      clients: Pick<ClientCache, 'find'>
      sessionCookie: string | undefined
      remembered?: RememberedRows | undefined
    },
  ) {
    this.#db = db
    this.#now = now
    this.#cache = from.clients
    this.#sessionCookie = from.sessionCookie
    this.#remembered = from.remembered
  }

  client(client_id: string): Promise<IssuerClient | undefined> {
    return memoized(this.#clients, client_id, () => this.#cache.find(client_id))
  }

  /** The client as it is stored now; later reads of the request return it, too. */
  currentClient(client_id: string): Promise<IssuerClient | undefined> {
    const client = findIssuerClient(this.#db, client_id)
    this.#clients.set(client_id, client)
    return client
  }

  /** The API with an identifier of its own (RFC 8707), as `resource` names it. */
  resource(resource: string): Promise<ResourceRow | undefined> {
    return memoized(this.resources, resource, async () =>
      // PostgreSQL fails at a NUL in a parameter.
      resource.includes('\0') ? undefined : await findResource(this.#db, withoutRootSlash(resource)),
    )
  }

  user(user_id: string): Promise<ProviderUser | undefined> {
    return memoized(this.#users, user_id, () => findClaims(this.#db, user_id))
  }

  connection(user_id: string, client_id: string): Promise<Connection | undefined> {
    return memoized(this.#connections, `${user_id} ${client_id}`, () => findConnection(this.#db, user_id, client_id))
  }

  /** After a grant in this request: the next read returns what is stored. */
  forgetConnection(user_id: string, client_id: string): void {
    this.#connections.delete(`${user_id} ${client_id}`)
  }

  /** Adds a user and connection that were read together with a token. */
  add(user: ProviderUser, client_id: string, connection: Connection): void {
    this.#users.set(user.id, Promise.resolve(user))
    this.#connections.set(`${user.id} ${client_id}`, Promise.resolve(connection))
  }

  /** The live session of the session cookie. */
  session(): Promise<SessionRow | undefined> {
    const cookie = this.#sessionCookie
    this.#session ??= cookie ? findSessionByToken(this.#db, cookie, this.#now) : Promise.resolve(undefined)
    return this.#session
  }

  /**
   * What native answers need of `session`, read together with its user and their connection to a client that exists, which later reads of the
   * request find (decision 0097). Undefined without a session cookie.
   */
  async sessionFor(client_id: string): Promise<SignedInRow | undefined> {
    const cookie = this.#sessionCookie
    if (!cookie) return undefined
    const row = await acceptedSession(cookie, this.#now, (by) => this.#signedIn({ ...by, client_id }))
    if (!row) return undefined
    const { user_id } = row
    this.#users.set(user_id, Promise.resolve({ ...row, id: user_id }))
    this.#connections.set(`${user_id} ${client_id}`, Promise.resolve(connectionOf(row)))
    return row
  }

  async #signedIn(by: SignedInBy): Promise<SignedInRow | undefined> {
    this.#signedInKey = `${by.client_id} ${by.token_hash}`
    const known = this.#remembered?.take<SignedInRow>(this.#signedInKey)
    if (!known) return await findSignedIn(this.#db, by)
    this.assumed.push(unchangedSignedIn(by, known))
    return known
  }

  /** Remembers what `sessionFor` has returned, as the commit has left it. */
  rememberSignedIn(row: SignedInRow): void {
    if (this.#signedInKey) this.#remembered?.put(this.#signedInKey, row)
  }

  /** Whether the user of the session may use the client (operators §10). */
  async hasAccess(client_id: string): Promise<boolean> {
    const session = await this.session()
    if (!session) return false
    const connection = await this.connection(session.user_id, client_id)
    return connection ? !connection.left_out : await hasAccess(this.#db, client_id, session.user_id)
  }

  /** Whether the client's developer has blocked the user of the session (decision 0025). */
  async isBlocked(client_id: string): Promise<boolean> {
    const [session, client] = await Promise.all([this.session(), this.client(client_id)])
    if (!session || !client) return false
    const connection = await this.connection(session.user_id, client_id)
    return connection ? connection.blocked : await isUserBlocked(this.#db, client.developer_id, session.user_id)
  }
}

function connectionOf(row: SignedInRow): Connection | undefined {
  const { connection_id: id, scopes, declined, blocked_at, access_lost_at, last_used_at } = row
  if (id === null || scopes === null || declined === null) return undefined
  return toConnection({ id, scopes, declined, blocked_at, access_lost_at, last_used_at })
}

function memoized<T>(reads: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = reads.get(key)
  if (known) return known
  const reading = read()
  reads.set(key, reading)
  return reading
}
