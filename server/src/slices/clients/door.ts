import type { clients, connections } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromFlag, fromJson } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import type { AppCard } from '../../ports/app-cards.ts'
import { type DeveloperCard, developerCards } from '../developers/door.ts'
import { listOrigins, listRedirectUris } from './address-store.ts'
import { advancedOf } from './advanced.ts'
import { endClient } from './info.ts'
import { type ClientRow, findClientOfAnybody, listClientIcons, listClientsOfAnybody } from './store.ts'

export { noteFirstSignIn } from './first-sign-in.ts'
export { ownClient } from './own-client.ts'
export { pruneRefusals, RefusalBook, type Refused } from './refusals.ts'
export {
  allowReading,
  endRegistration,
  issueRegistrationToken,
  type Presented,
  pruneRegistrationTokens,
  type Registered,
  registerClient,
  replaceRegistration,
} from './registration.ts'
export { verifyClientSecret } from './secret.ts'
export { noteSecretUse } from './secret-use.ts'
export { countUse, dayOf, pruneDays, type Use, weekSignIns } from './statistics.ts'
export { holdClient } from './store.ts'

/** An app as the engine needs it. Remember it, and forget it on the signal `client` with its id. */
export interface IssuerClient
  extends clients.Advanced,
    Pick<
      ClientRow,
      'secret_hash' | 'secret_last_used_at' | 'previous_secret_hash' | 'previous_secret_until' | 'first_sign_in_at'
    > {
  client_id: string
  developer_id: string
  name: string
  type: clients.ClientType
  enabled: boolean
  /** What it may ask for. */
  scopes: string[]
  /** Exact strings; the engine alone lets the port of a loopback address vary (RFC 8252 §7.3). */
  redirect_uris: string[]
  origins: string[]
  home_page_url: string | null
  privacy_policy_url: string | null
}

export async function clientForIssuer(db: ReadDb, client_id: string): Promise<IssuerClient | undefined> {
  const [row, redirect_uris, origins] = await Promise.all([
    findClientOfAnybody(db, client_id),
    listRedirectUris(db, { client_id }),
    listOrigins(db, { client_id }),
  ])
  if (!row) return undefined
  return {
    ...advancedOf(row),
    client_id,
    developer_id: row.developer_id,
    name: row.name,
    type: row.type as clients.ClientType,
    enabled: fromFlag(row.enabled),
    scopes: fromJson<string[]>(row.scopes),
    secret_hash: row.secret_hash,
    secret_last_used_at: row.secret_last_used_at,
    previous_secret_hash: row.previous_secret_hash,
    previous_secret_until: row.previous_secret_until,
    first_sign_in_at: row.first_sign_in_at,
    redirect_uris,
    origins,
    home_page_url: row.home_page_url,
    privacy_policy_url: row.privacy_policy_url,
  }
}

/** An app as the people see it who allow it, and what of it decides whether they may. */
export type PublicClient = { card: connections.ClientCard; enabled: boolean; scopes: string[] }

export async function publicClients(db: ReadDb, client_ids: readonly string[]): Promise<Map<string, PublicClient>> {
  const rows = await listClientsOfAnybody(db, client_ids)
  const developers = await developerCards(db, [...new Set(rows.map(({ developer_id }) => developer_id))])
  return new Map(
    rows.flatMap((row): [string, PublicClient][] => {
      const developer = developers.get(row.developer_id)
      if (!developer) return []
      const client = {
        card: cardOf(row, developer),
        enabled: fromFlag(row.enabled),
        scopes: fromJson<string[]>(row.scopes),
      }
      return [[row.client_id, client]]
    }),
  )
}

function cardOf(row: ClientRow, developer: DeveloperCard): connections.ClientCard {
  const { client_id, name, icon, description, home_page_url, privacy_policy_url } = row
  return { client_id, name, icon, description, home_page_url, privacy_policy_url, developer }
}

export async function publicClient(db: ReadDb, client_id: string): Promise<PublicClient | undefined> {
  return (await publicClients(db, [client_id])).get(client_id)
}

/** Implements the port `AppCards`: those of the ids that still exist. */
export async function appCards(db: ReadDb, client_ids: string[]): Promise<AppCard[]> {
  const rows = await listClientsOfAnybody(db, client_ids)
  return rows.map(({ client_id, name, icon }) => ({ client_id, name, icon }))
}

/** Those of these apps that want to hear when somebody is signed out (OpenID Connect Back-Channel Logout §2.2). */
export async function logoutListeners(db: ReadDb, client_ids: readonly string[]): Promise<Set<string>> {
  const rows = await listClientsOfAnybody(db, client_ids)
  const listening = rows.filter((row) => row.backchannel_logout_uri !== null && fromFlag(row.enabled))
  return new Set(listening.map(({ client_id }) => client_id))
}

/** Listens to `developer_deleted`: each app of the organisation ends as if it had been deleted itself. */
export async function endClientsOf(deps: Deps, { developer_id }: Events['developer_deleted']): Promise<void> {
  for (const client of await listClientIcons(deps.db, developer_id)) await endClient(deps, client)
}
