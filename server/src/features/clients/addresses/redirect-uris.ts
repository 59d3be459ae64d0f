import { type clients, type InputOf, LIMITS, problem } from '@vrata/contract'
import { fromFlag, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { MemberActor } from '../../../http/actors.ts'
import { requireFreshSignIn } from '../../../http/guards/request-guards.ts'
import { recordDeveloperActivity } from '../../developers/public.ts'
import { validateProfileRedirectUris } from '../advanced/security-profile.ts'
import { announceClientChange, findOwnClient, findOwnClientForUpdate } from '../own-client.ts'
import { deleteRedirectUri, insertRedirectUri, listRedirectUris } from './address-store.ts'
import { type SectorDocument, validateSectorOfRedirectUri } from './sector.ts'

/** Private-use URI schemes are for native clients only (RFC 8252 §7.1, decision 0040). */
export function validateRedirectUriScheme(type: string, uri: string, field: string): void {
  if (type !== 'native' && !/^https?:/.test(uri)) {
    throw problem('invalid_request', {
      message: 'Only native clients may have a redirect URI with a private-use scheme.',
      fields: { [field]: 'private_scheme' },
    })
  }
}

/** Lists the redirect URIs of a client of the actor's developer account. */
export async function listClientRedirectUris(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  input: InputOf<typeof clients.listRedirectUris>,
) {
  return await listRedirectUris(deps.db, await findOwnClient(deps, actor, input.id))
}

/** Adds a redirect URI, and returns all. A client with a sector needs the list of its `sector_identifier_uri` (`withSectorDocument`). */
export async function addRedirectUri(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.addRedirectUri>,
  document?: SectorDocument,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  validateRedirectUriScheme(client.type, input.redirect_uri, 'redirect_uri')
  validateProfileRedirectUris(client, [input.redirect_uri])
  validateSectorOfRedirectUri(input.redirect_uri, client, document)
  // Without a secret, a code that is sent to this address is all that its receiver needs (security §7.5.3).
  if (!fromFlag(client.require_client_secret)) requireFreshSignIn(deps, actor)
  const before = await listRedirectUris(deps.db, client)
  if (before.length >= LIMITS.uris_per_client) {
    throw problem('too_many_uris', { params: { max: LIMITS.uris_per_client } })
  }
  const added = await insertRedirectUri(deps.db, client, input.redirect_uri, toTime(deps.clock.now()))
  if (!added) throw problem('redirect_uri_taken', { fields: { redirect_uri: 'taken' } })
  await deps.emit('redirect_uri_added', { client_id: client.client_id, redirect_uri: input.redirect_uri })
  await recordDeveloperActivity(deps, actor, 'ADDED_REDIRECT_URI', {
    client_id: client.client_id,
    name: client.name,
    redirect_uri: input.redirect_uri,
  })
  await announceClientChange(deps, client.client_id)
  return [...before, input.redirect_uri]
}

/** Removes a redirect URI, so that codes which were sent to it are refused, and returns the other ones. Throws `not_found`. */
export async function removeRedirectUri(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.removeRedirectUri>,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  const removed = await deleteRedirectUri(deps.db, client, input.redirect_uri)
  if (!removed) throw problem('not_found')
  await deps.revoke('redirect_uri_removed', { client_id: client.client_id })
  await recordDeveloperActivity(deps, actor, 'REMOVED_REDIRECT_URI', {
    client_id: client.client_id,
    name: client.name,
    redirect_uri: input.redirect_uri,
  })
  await announceClientChange(deps, client.client_id)
  return await listRedirectUris(deps.db, client)
}
