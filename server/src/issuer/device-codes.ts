import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { fromJson, timeAfter, toJson } from '../db/values.ts'
import { hashToken } from '../ports/ids.ts'
import { sessionById } from '../slices/auth/door.ts'
import { acrOf } from './acr.ts'
import type { DeviceAsks } from './device-requests.ts'
import { findDevice, noteAsked, spendDevice } from './device-store.ts'
import { amrOf, sidOf } from './engine-session.ts'
import { grantIdOf } from './grants.ts'
import { SpentTwice } from './refusals.ts'
import { type Unit, unitOfWork } from './unit-of-work.ts'
import { markOf } from './waiting-models.ts'
import { putWaiting, type WaitingRow } from './waiting-store.ts'

/** Seconds that a device leaves between two questions unless told otherwise (RFC 8628 §3.2), less one for the road. */
const ASKS_EVERY = 5 - 1

/**
 * Devices that wait for a person (RFC 8628). The engine makes the codes and answers the device; the person answers on our
 * pages (device-requests.ts), so what they said is put into the engine's words when the device asks.
 */
export const deviceCodes: Partial<Adapter> = {
  async upsert(id, { clientId, userCode, params }, expiresIn) {
    const unit = unitOfWork()
    const { ip, os, browser } = unit.start.visitor()
    const asks: DeviceAsks = {
      client_id: clientId as string,
      // Who names nothing asks to know the person again (RFC 6749 §3.3: a default that is documented).
      scope: typeof params?.scope === 'string' && params.scope ? params.scope : 'openid',
      claims: params?.claims as string | undefined,
      resource: Object.keys(Provider.ctx?.oidc.resourceServers ?? {}),
      from: { ip, os, browser, location: await unit.deps.places.find(ip) },
    }
    const row: WaitingRow = {
      ...markOf(unit, 'DeviceCode', id, expiresIn as number),
      user_code_hash: hashToken(userCode as string),
      payload: toJson(asks),
    }
    unit.later(({ db }) => putWaiting(db, row))
  },

  async find(id) {
    const unit = unitOfWork()
    const row = await findDevice(unit.deps.db, 'id_hash', hashToken(id))
    if (!row || row.decision === 'used') return undefined
    const asks = fromJson<DeviceAsks>(row.payload)
    const code: AdapterPayload = {
      jti: id,
      kind: 'DeviceCode',
      clientId: asks.client_id,
      iat: unit.toEngine(row.created_at),
      exp: unit.toEngine(row.expires_at),
    }
    // Of another app's code nothing is told, and nothing is noted.
    if (Provider.ctx?.oidc.client?.clientId !== asks.client_id) return code
    if (row.decision === null) {
      refuseHaste(unit, row)
      return code
    }
    const given = row.decision === 'allowed' ? await givenTo(unit, row, asks) : undefined
    return { ...code, ...(given ?? { error: 'access_denied', errorDescription: 'the person denied the request' }) }
  },

  /** One use: the engine ignores what becomes of this, so the condition must be in the write (oidc.md §2, hazard 1). */
  async consume(id) {
    const unit = unitOfWork()
    unit.later(async ({ db }) => {
      if (!(await spendDevice(db, hashToken(id), unit.nowText))) throw new SpentTwice()
    })
  },

  /** What a person has taken back is seen when the device asks: there is nothing to find by grant. */
  revokeByGrantId: async () => undefined,
}

/** A device that waits asks at its leisure; the time that it must leave begins anew with each question. */
function refuseHaste(unit: Unit, { id_hash, asked_at, expires_at }: WaitingRow): void {
  if (expires_at <= unit.nowText) return
  unit.later(({ db }) => noteAsked(db, id_hash, unit.nowText))
  if (asked_at !== null && timeAfter(new Date(asked_at), ASKS_EVERY) > unit.nowText) throw new errors.SlowDown()
}

/** What the person allowed, as it stands now; undefined when their session or the connection has ended since. */
async function givenTo(unit: Unit, { session_id }: WaitingRow, asks: DeviceAsks): Promise<object | undefined> {
  const session = session_id === null ? undefined : await sessionById(unit.deps.db, session_id, unit.now)
  if (!session) return undefined
  const { client_id } = asks
  const { id, user_id } = session
  const [client, connection] = await Promise.all([unit.client(client_id), unit.connection(user_id, client_id)])
  if (!client || !connection || connection.blocked) return undefined
  const allowed = connection.scopes.filter((scope) => client.scopes.includes(scope))
  const scopes = asks.scope.split(' ').filter((scope) => allowed.includes(scope))
  const grantId = grantIdOf(connection.id, id)
  unit.found.set(grantId, { user_id, client_id, session_id: id })
  const [resource, ...more] = asks.resource
  return {
    accountId: user_id,
    grantId,
    sessionUid: id,
    authTime: unit.toEngine(session.authenticated_at),
    amr: amrOf(session),
    acr: acrOf(session),
    scope: scopes.join(' '),
    ...(asks.claims ? { claims: JSON.parse(asks.claims) } : {}),
    ...(resource ? { resource: more.length > 0 ? asks.resource : resource } : {}),
    ...(client.backchannel_logout_uri ? { sid: sidOf(id, client_id) } : {}),
    // Decision 0062, as for everybody whom an app signs in.
    ...(scopes.includes('offline_access') ? {} : { expiresWithSession: true }),
  }
}
