import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson, timeAfter, toJson } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { hashToken } from '../ports/ids.ts'
import { toConnection } from '../slices/connections/door.ts'
import { originOf } from './grants.ts'
import { EndedMeanwhile, SpentTwice } from './refusals.ts'
import {
  deleteTokens,
  type FoundToken,
  findToken,
  holdRoots,
  insertTokens,
  letsLive,
  spendToken,
  type TokenKind,
  type TokenWork,
} from './token-store.ts'
import { type Person, type Unit, unitOfWork } from './unit-of-work.ts'

type Whole<Row> = { [Column in keyof Row]: NonNullable<Row[Column]> }

/** What the columns say already; the raw token (`jti`) must not stand in a table (oidc.md §2, hazard 5). */
const IN_COLUMNS = new Set(['jti', 'kind', 'iat', 'exp', 'accountId', 'clientId', 'grantId', 'sessionUid', 'consumed'])

/** What one answer does with tokens, as a rule of one grant. */
function workOf(unit: Unit): TokenWork {
  const { tokens } = unit
  const { spent, made, ended } = tokens
  if (spent.length + made.length + ended.length === 0) unit.later((deps) => writeTokens(deps, tokens, unit.nowText))
  return tokens
}

/**
 * Session and connection are held before a token is spent or deleted, as whoever ends one of them has it before they
 * delete its tokens: holding one each and wanting the other's, the two would wait for ever (decision 0197).
 */
async function writeTokens({ db }: Deps, { spent, made, ended }: TokenWork, now: string): Promise<void> {
  // What a service is given in its own name comes of no grant.
  const grants = new Set([...spent, ...made, ...ended].flatMap(({ grant_id }) => grant_id ?? []))
  const [alive, fresh] = await Promise.all([
    Promise.all([...grants].map((grant_id) => holdRoots(db, originOf(grant_id)))),
    // The engine ignores what becomes of `consume`, so the condition must be in the write (oidc.md §2, hazard 1).
    Promise.all(spent.map(({ token_hash }) => spendToken(db, token_hash, now))),
    Promise.all(ended.map((which) => deleteTokens(db, which))),
  ])
  if (fresh.includes(false)) throw new SpentTwice()
  if (made.length === 0) return
  if (alive.includes(false)) throw new EndedMeanwhile()
  await insertTokens(db, ...made)
}

/** After somebody spent a token a second time: all that its grant gave. */
export async function endFamily({ db }: Deps, grant_id: string): Promise<void> {
  await holdRoots(db, originOf(grant_id))
  await deleteTokens(db, { grant_id })
}

/** Codes, access and refresh tokens: rows of one table, known by their hashes. */
export function tokens(kind: TokenKind): Partial<Adapter> {
  return {
    async upsert(id, payload, expiresIn) {
      const unit = unitOfWork()
      const { accountId, clientId, grantId, sessionUid, iiat } = payload
      const origin = grantId === undefined ? undefined : originOf(grantId)
      const kept = Object.fromEntries(Object.entries(payload).filter(([name]) => !IN_COLUMNS.has(name)))
      if (iiat !== undefined) kept.iiat = unit.fromEngine(iiat)
      workOf(unit).made.push({
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
        meetRoots(unit, row)
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

    async consume(id) {
      const unit = unitOfWork()
      unit.spending = unit.spendable.get(id)
      workOf(unit).spent.push({ token_hash: hashToken(id), grant_id: unit.spending })
    },

    async destroy(id) {
      const unit = unitOfWork()
      workOf(unit).ended.push({ token_hash: hashToken(id), grant_id: unit.spendable.get(id) })
    },

    async revokeByGrantId(grant_id) {
      workOf(unitOfWork()).ended.push({ grant_id, kind })
    },
  }
}

/** The engine asks next for whom the token is and what they allow: both were read with it. */
function meetRoots(unit: Unit, row: FoundToken): void {
  const { id, connection_id, client_id, allowed, declined, blocked_at, last_used_at } = row
  if (id === null || connection_id === null || allowed === null || declined === null) return
  const connection = toConnection({ id: connection_id, scopes: allowed, declined, blocked_at, last_used_at })
  unit.meet(row as Person, client_id, connection)
}
