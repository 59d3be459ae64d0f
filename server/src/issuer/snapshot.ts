import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JWK } from 'jose'
import { type ClientMetadata, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { record } from '../slices/activity/door.ts'
import { countUse, noteFirstSignIn, noteSecretUse, type Use, verifyClientSecret } from '../slices/clients/door.ts'
import { useConnection } from '../slices/connections/door.ts'
import { finish } from './answer.ts'
import { configurationFor } from './configuration.ts'
import { discoveryOf } from './discovery.ts'
import { noteRefusals } from './doctor.ts'
import { sidOf } from './engine-session.ts'
import { type Published, publishedKeys } from './jwt-reads.ts'
import type { SigningKey } from './keys.ts'
import { OwnKey } from './own-key.ts'
import type { Scopes } from './resources.ts'
import { WEB_MESSAGE } from './response-modes.ts'
import { type Unit, unitOfWork } from './unit-of-work.ts'
import { answerPopup } from './web-message.ts'

/** The engine for one set of keys and scopes; never changed, only replaced (oidc.md §2a). */
export interface Snapshot {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  scopes: Scopes
  /** What stands at `/jwks`: public halves only. */
  jwks: string
  published: Published
  discovery: string
  /** Changes when keys or scopes do. */
  fingerprint: string
}

export function makeSnapshot(config: Config, keys: readonly SigningKey[], scopes: Scopes): Snapshot {
  const provider = new Provider(
    config.url,
    configurationFor({ config, keys: keys.map((key) => new OwnKey(key)), scopes }),
  )
  // Our own words for protocol and host stand in the headers (mount.ts): links never follow a forged Host.
  provider.proxy = true
  provider.registerResponseMode(WEB_MESSAGE, answerPopup)
  ownSecrets(provider)
  ownSids(provider)
  noteSignIns(provider)
  noteRefusals(provider)
  provider.use(finish)
  const jwks = { keys: keys.map(({ jwk }) => publicHalf(jwk)) }
  return {
    handle: provider.callback() as unknown as Snapshot['handle'],
    scopes,
    jwks: JSON.stringify(jwks),
    published: publishedKeys(jwks),
    discovery: JSON.stringify(discoveryOf(config)),
    fingerprint: fingerprintOf(keys, scopes),
  }
}

export function fingerprintOf(keys: readonly Pick<SigningKey, 'kid' | 'state'>[], scopes: Scopes): string {
  return [
    ...keys.map(({ kid, state }) => `${kid}=${state}`),
    ...[...scopes].map(([key, owner]) => `${key}=${owner}`),
  ].join(' ')
}

/**
 * Secrets are compared with their hashes. This overrides a method that the engine does not document, so each new engine
 * is asked whether it still listens; if it did not, nobody could authenticate, and we do not start.
 */
function ownSecrets({ Client }: Provider): void {
  const prototype = Client.prototype as unknown as { compareClientSecret(presented: string): Promise<boolean> }
  if (typeof prototype.compareClientSecret !== 'function') throw new Error('The engine compares secrets elsewhere now')
  prototype.compareClientSecret = async function (this: { clientId: string }, presented) {
    const unit = unitOfWork()
    const client = await unit.client(this.clientId)
    if (!client) return false
    const which = verifyClientSecret(client, presented, unit.now)
    const note = which === 'current' && noteSecretUse(client, unit.now)
    if (note) unit.atLast(note)
    return which !== undefined
  }
  const probe = new (Client as unknown as new (metadata: ClientMetadata) => object)({
    client_id: 'probe',
    client_secret: 'probe',
    redirect_uris: ['https://probe.invalid/'],
    token_endpoint_auth_method: 'client_secret_basic',
  })
  if (Object.getPrototypeOf(probe) !== prototype) throw new Error('The engine makes its clients elsewhere now')
}

/** The engine would draw a `sid` with every sign-in and keep it in its session, which it must not write (decision 0061). */
function ownSids({ Session }: Provider): void {
  const prototype = Session.prototype as unknown as { sidFor(client_id: string): string }
  if (typeof prototype.sidFor !== 'function') throw new Error('The engine names sessions elsewhere now')
  prototype.sidFor = function (this: { uid: string }, client_id) {
    return sidOf(this.uid, client_id)
  }
}

function noteSignIns(provider: Provider): void {
  provider.on('authorization.success', (ctx) => {
    const unit = unitOfWork()
    const { session, client, prompts } = ctx.oidc
    const user_id = session?.accountId
    if (!user_id || !client || !session) return
    const grant_id = session.grantIdFor(client.clientId)
    const { clientId: client_id } = client
    // A silent check is an app's own business; nobody signed in.
    const signed_in = !prompts.has('none')
    if (grant_id) noteUse(unit, { client_id, user_id, signed_in })
    if (signed_in) unit.later((deps) => recordSignIn(deps, unit, { user_id, session_id: session.uid, client_id }))
  })
  provider.on('grant.success', (ctx: KoaContextWithOIDC) => {
    const unit = unitOfWork()
    const { client, entities, params } = ctx.oidc
    const renewed = params?.grant_type === 'refresh_token' && entities.RefreshToken?.accountId
    if (renewed && client) noteUse(unit, { client_id: client.clientId, user_id: renewed, signed_in: false })
    // A device signs somebody in when it comes for its tokens: the only moment at which it and its place are known.
    const { accountId: user_id, sessionUid: session_id = null } = entities.DeviceCode ?? {}
    if (user_id && client) {
      const { clientId: client_id } = client
      noteUse(unit, { client_id, user_id, signed_in: true })
      unit.later((deps) => recordSignIn(deps, unit, { user_id, session_id, client_id }))
    }
    if ((entities.AuthorizationCode || entities.DeviceCode) && client) {
      unit.atLast(async (deps) => {
        const known = await unit.client(client.clientId)
        if (known) await noteFirstSignIn(deps, known)
      })
    }
  })
  provider.on('session.destroyed', (session) => {
    unitOfWork().signOut({ session_id: session.uid, user_id: session.accountId as string })
  })
  provider.on('server_error', (_, error) => unitOfWork().failed(error))
}

async function recordSignIn(
  deps: Deps,
  unit: Unit,
  who: { user_id: string; session_id: string | null; client_id: string },
): Promise<void> {
  await record(deps, { type: 'LOGGED_IN_TO_APP', ...who, from: unit.start.visitor() })
}

/** The use is counted once its connection is held, for whoever deletes the app holds that before the app (decision 0197). */
function noteUse(unit: Unit, who: { client_id: string; user_id: string; signed_in: boolean }): void {
  let use: Use | undefined
  unit.firstWrites.push(async ({ db }) => {
    const { client_id, user_id, signed_in } = who
    const [client, connection] = await Promise.all([unit.client(client_id), unit.connection(user_id, client_id)])
    if (client && connection) use = await useConnection(db, { connection, client, at: unit.now, signed_in })
  })
  unit.atLast(async ({ db }) => {
    if (use) await countUse(db, use)
  })
}

function publicHalf({ d, p, q, dp, dq, qi, ...half }: JWK): JWK {
  return half
}
