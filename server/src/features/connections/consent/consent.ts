import { type connections, type InputOf, problem } from '@vrata/contract'
import { scopeKey } from '@vrata/contract/fields'
import { localizedPlace } from '../../../adapters/geoip/geoip.ts'
import type { ReadDb } from '../../../db/open.ts'
import type { AppDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { hasAccess } from '../../client-access/public.ts'
import { disabledProblem, findPublicClient, mayRequest, type PublicClient } from '../../clients/public.ts'
import type { Interaction } from '../../extension-points.ts'
import { describeScopes, findExistingScopes } from '../../scope-catalog/public.ts'
import { findConnection } from '../public.ts'

/** Returns the client and the requested scopes, in the language of the page. */
export async function getConsent(
  deps: Pick<AppDeps, 'db' | 'interactions'>,
  actor: UserActor,
  input: InputOf<typeof connections.getConsent>,
): Promise<connections.Consent> {
  const client = await findRequestingClient(deps.db, input.client)
  const interaction = await findInteraction(deps, actor, input)
  if (input.uid !== undefined && !interaction) throw problem('not_found')
  const requested = [...new Set(input.scopes.split(' ').filter(Boolean))]
  const open = await findOpenScopes(deps.db, client, interaction)
  const isGone = (key: string) => interaction?.scopes.includes(key) && !open.includes(key)
  const keys = requested.length > 0 ? requested.filter((key) => !isGone(key)) : open
  await validateScopes(deps.db, keys, client, interaction && open)
  const connection = await findConnection(deps.db, actor.user_id, input.client)
  const texts = await describeScopes(deps.db, keys, actor.locale)
  return {
    client: client.card,
    connected: connection !== undefined,
    access: await hasAccess(deps.db, input.client, actor.user_id),
    scopes: texts.map((text) => ({ ...text, granted: connection?.scopes.includes(text.key) ?? false })),
    redirect_host: interaction?.redirect_host ?? null,
    device: interaction?.device
      ? { ...interaction.device, location: localizedPlace(actor.locale, interaction.device.location) }
      : null,
    request: interaction?.request ?? null,
  }
}

/** Returns an enabled client. */
export async function findRequestingClient(db: ReadDb, client_id: string): Promise<PublicClient> {
  const client = await findPublicClient(db, client_id)
  if (!client) throw problem('not_found')
  if (!client.enabled) throw problem(disabledProblem(client))
  return client
}

/** Finds the open interaction `uid` of this session and client, not one of others. */
export async function findInteraction(
  deps: Pick<AppDeps, 'db' | 'interactions'>,
  actor: UserActor,
  input: { client: string; uid?: string | undefined },
): Promise<Interaction | undefined> {
  if (input.uid === undefined) return undefined
  const interaction = await deps.interactions.find(deps.db, input.uid, actor)
  return interaction?.client_id === input.client ? interaction : undefined
}

const isScopeKey = (key: string) => scopeKey.safeParse(key).success

/** Returns the scopes of an interaction that exist, without those that were removed meanwhile. A request for an API may name unknown ones. */
export async function findOpenScopes(
  db: ReadDb,
  client: PublicClient,
  interaction: Interaction | undefined,
): Promise<string[]> {
  const requested = interaction?.scopes.filter((key) => mayRequest(client.scopes, key) && isScopeKey(key)) ?? []
  const existing = await findExistingScopes(db, requested)
  return requested.filter((key) => existing.has(key))
}

/** Throws `unknown_scope` unless each scope exists and is requested by the client: of an interaction, unless each is one of its `open` ones. */
export async function validateScopes(
  db: ReadDb,
  keys: readonly string[],
  client: PublicClient,
  open: readonly string[] | undefined,
): Promise<void> {
  const requestable = keys.filter((key) => isScopeKey(key) && mayRequest(client.scopes, key))
  const known = open ? new Set(open) : await findExistingScopes(db, requestable)
  const rejected = keys.find((key) => !known.has(key))
  if (rejected !== undefined) throw unknownScope(rejected)
}

export function unknownScope(key: string) {
  return problem('unknown_scope', { fields: { scopes: 'unknown' }, params: { scope: key.slice(0, 100) } })
}
