import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { ClientDisabled, metadataOf } from './client-metadata.ts'
import { deviceCodes } from './device-codes.ts'
import { keepSignOut, sessionOfBinding, sessionOfCookie } from './engine-session.ts'
import { grantPayload } from './grants.ts'
import type { Scopes } from './resources.ts'
import { tokens } from './token-adapter.ts'
import { unitOfWork } from './unit-of-work.ts'
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
