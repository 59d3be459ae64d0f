import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import type { Db } from '../db/open.ts'
import { fromJson, timeAfter, toJson } from '../db/values.ts'
import { hashToken } from '../ports/ids.ts'
import { ClientDisabled, metadataOf } from './client-metadata.ts'
import { deviceCodes } from './device-codes.ts'
import { keepSignOut, sessionOfBinding, sessionOfCookie } from './engine-session.ts'
import { grantPayload, type Origin, originOf } from './grants.ts'
import { EndedMeanwhile, SpentTwice } from './refusals.ts'
import type { Scopes } from './resources.ts'
import {
  deleteFamily,
  deleteToken,
  findToken,
  holdRoots,
  insertToken,
  letsLive,
  spendToken,
  type TokenKind,
} from './token-store.ts'
import { once, unitOfWork } from './unit-of-work.ts'
import { interactions, pushed, replays } from './waiting-models.ts'

/** The engine's storage over our own tables, one adapter per model. Everything not named here is switched off. */
export function adapterFor(scopes: Scopes) {
  return (model: string): Adapter => {
    const own = MODELS[model]
    return own ? { ...REFUSALS, ...own(scopes) } : REFUSALS
  }
}

const refuse = (what: string) => async () => {
  throw new Error(`The engine asked for ${what}, which nothing here uses`)
}

const REFUSALS: Adapter = {
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: refuse('upsert'),
  consume: refuse('consume'),
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

/** A grant is never stored: it is the connection, seen from one session (oidc.md §2, hazard 2). */
const MODELS: Record<string, (scopes: Scopes) => Partial<Adapter>> = {
  AuthorizationCode: () => tokens('AuthorizationCode'),
  AccessToken: () => tokens('AccessToken'),
  RefreshToken: () => tokens('RefreshToken'),
  ReplayDetection: () => replays,
  ClientCredentials: () => tokens('ClientCredentials'),
  Interaction: () => interactions,
  PushedAuthorizationRequest: () => pushed,
  DeviceCode: () => deviceCodes,
  Grant: (scopes) => ({ find: (id) => grantPayload(unitOfWork(), id, scopes) }),
  Session: () => sessions,
  Client: clients,
}

type Whole<Row> = { [Column in keyof Row]: NonNullable<Row[Column]> }

/** What the columns say already; the raw token (`jti`) must not stand in a table (oidc.md §2, hazard 5). */
const IN_COLUMNS = new Set(['jti', 'kind', 'iat', 'exp', 'accountId', 'clientId', 'grantId', 'sessionUid', 'consumed'])

/** One answer makes several tokens from the same roots, which are held once in its transaction. */
const held = new WeakMap<Db, Map<string, Promise<boolean>>>()

function holdsRoots(db: Db, origin: Origin): Promise<boolean> {
  const roots = held.get(db) ?? new Map<string, Promise<boolean>>()
  held.set(db, roots)
  return once(roots, `${origin.connection_id} ${origin.session_id}`, () => holdRoots(db, origin))
}

function tokens(kind: TokenKind): Partial<Adapter> {
  return {
    async upsert(id, payload, expiresIn) {
      const unit = unitOfWork()
      const { accountId, clientId, grantId, sessionUid, iiat } = payload
      // What a service is given in its own name comes of no connection.
      const origin = grantId === undefined ? undefined : originOf(grantId)
      const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => !IN_COLUMNS.has(name)))
      if (iiat !== undefined) kept.iiat = unit.fromEngine(iiat)
      unit.later(async ({ db }) => {
        if (origin && !(await holdsRoots(db, origin))) throw new EndedMeanwhile()
        await insertToken(db, {
          token_hash: hashToken(id),
          kind,
          connection_id: origin?.connection_id ?? null,
          session_id: sessionUid ?? origin?.session_id ?? null,
          client_id: clientId as string,
          user_id: accountId ?? null,
          grant_id: grantId ?? null,
          payload: toJson(kept),
          created_at: unit.nowText,
          expires_at: timeAfter(unit.now, expiresIn as number),
          consumed_at: null,
        })
      })
    },

    async find(id) {
      const unit = unitOfWork()
      const row = await findToken(unit.deps.db, kind, hashToken(id), unit.nowText)
      if (!row) return undefined
      const payload = fromJson<AdapterPayload & { iiat?: string }>(row.payload)
      if (!letsLive(row, payload.expiresWithSession === true, unit.nowText)) return undefined
      if (row.grant_id !== null) {
        const { user_id, client_id, session_id, grant_id } = row as Whole<typeof row>
        unit.found.set(grant_id, { user_id, client_id, session_id })
        unit.spendable.set(id, grant_id)
      }
      return {
        ...payload,
        ...(payload.iiat ? { iiat: unit.toEngine(payload.iiat) } : {}),
        jti: id,
        kind,
        iat: unit.toEngine(row.created_at),
        exp: unit.toEngine(row.expires_at),
        accountId: row.user_id ?? undefined,
        clientId: row.client_id,
        grantId: row.grant_id ?? undefined,
        sessionUid: row.session_id ?? undefined,
        ...(row.consumed_at ? { consumed: unit.toEngine(row.consumed_at) } : {}),
      } as AdapterPayload
    },

    /** The engine ignores what becomes of this, so the condition must be in the write (oidc.md §2, hazard 1). */
    async consume(id) {
      const unit = unitOfWork()
      unit.later(async ({ db }) => {
        if (!(await spendToken(db, hashToken(id), unit.nowText))) throw new SpentTwice()
      })
      unit.spending = unit.spendable.get(id)
    },

    async destroy(id) {
      unitOfWork().later(({ db }) => deleteToken(db, hashToken(id)))
    },

    async revokeByGrantId(grantId) {
      unitOfWork().later(({ db }) => deleteFamily(db, grantId, kind))
    },
  }
}

/** Our row, read only: the engine makes, moves and ends no session (decision 0061). */
const sessions: Partial<Adapter> = {
  find: (cookie) => sessionOfCookie(unitOfWork(), cookie),
  findByUid: async (uid) => sessionOfBinding(unitOfWork(), uid),
  async upsert(_, payload) {
    keepSignOut(payload)
  },
}

function clients(scopes: Scopes): Partial<Adapter> {
  return {
    async find(id) {
      const unit = unitOfWork()
      const client = await unit.client(id)
      if (!client) return undefined
      if (!client.enabled) throw new ClientDisabled(id)
      const keys = needsKeys() ? await unit.start.keys.of(client) : null
      return metadataOf(client, scopes, { secretSent: isSecretSent(), keys }) as AdapterPayload
    },
  }
}

/** Keys are asked for only where something is to be checked with them. */
function needsKeys(): boolean {
  const params = Provider.ctx?.oidc?.params
  return params?.client_assertion !== undefined || params?.request !== undefined
}

/** A public app may send the secret it has; then it must be right (oidc.md §2b). */
function isSecretSent(): boolean {
  const ctx = Provider.ctx
  return ctx?.oidc?.params?.client_secret !== undefined || /^basic /i.test(ctx?.headers.authorization ?? '')
}
