import { type clients, type InputOf, LIMITS, problem } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { recordInDeveloper } from '../developers/door.ts'
import { deleteRedirectUri, insertRedirectUri, listRedirectUris } from './address-store.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import { forgetMended } from './refusals.ts'

/** A scheme of one's own is for apps installed on a device, which alone can claim it (RFC 8252 §7.1; decision 0051). */
export function refuseForeignScheme(type: string, uri: string, field: string): void {
  if (type !== 'native' && !/^https?:/.test(uri)) {
    throw problem('invalid_request', {
      message: 'Only native apps may have a redirect URI with a scheme of their own.',
      fields: { [field]: 'private_scheme' },
    })
  }
}

export async function redirectUrisOf(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.listRedirectUris>) {
  return { redirect_uris: await listRedirectUris(deps.db, await ownClient(deps, actor, input.id)) }
}

export async function addRedirectUri(deps: Deps, actor: Member, input: InputOf<typeof clients.addRedirectUri>) {
  const client = await ownClientToChange(deps, actor, input.id)
  refuseForeignScheme(client.type, input.redirect_uri, 'redirect_uri')
  const before = await listRedirectUris(deps.db, client)
  if (before.length >= LIMITS.uris_per_client) {
    throw problem('too_many_uris', { params: { max: LIMITS.uris_per_client } })
  }
  const added = await insertRedirectUri(deps.db, client, input.redirect_uri, toTime(deps.clock.now()))
  if (!added) throw problem('redirect_uri_taken', { fields: { redirect_uri: 'taken' } })
  await forgetMended(deps, client.client_id, 'redirect_uri', input.redirect_uri)
  await recordInDeveloper(deps, actor, 'ADDED_REDIRECT_URI', {
    client_id: client.client_id,
    name: client.name,
    redirect_uri: input.redirect_uri,
  })
  await tellChanged(deps, client.client_id)
  return { redirect_uris: [...before, input.redirect_uri] }
}

export async function removeRedirectUri(deps: Deps, actor: Member, input: InputOf<typeof clients.removeRedirectUri>) {
  const client = await ownClientToChange(deps, actor, input.id)
  const removed = await deleteRedirectUri(deps.db, client, input.redirect_uri)
  if (!removed) throw problem('not_found')
  await recordInDeveloper(deps, actor, 'REMOVED_REDIRECT_URI', {
    client_id: client.client_id,
    name: client.name,
    redirect_uri: input.redirect_uri,
  })
  await tellChanged(deps, client.client_id)
  return { redirect_uris: await listRedirectUris(deps.db, client) }
}
