import { errors, type ResourceServer } from 'oidc-provider'
import type { Sealing } from '../ports/sealing.ts'
import { isOwnScope } from '../slices/scopes/door.ts'
import type { Scopes } from './resources.ts'
import { unitOfWork } from './unit-of-work.ts'

/** An access token that is about to be made, as the engine shows it. */
type Draft = {
  kind?: string
  clientId?: string | undefined
  grantId?: string | undefined
  scope?: string | undefined
  resourceServer?: Pick<ResourceServer, 'accessTokenFormat'> | undefined
}

/**
 * The last look at a token before it is made, when it is known what it would be good for; answers what of ours stands in
 * it. A token for a resource that may do nothing there is not made: its audience alone would open an API that looks at
 * no scope, for a person who never allowed any of it (decision 0170).
 */
export async function claimsOfToken(token: Draft, scopes: Scopes): Promise<Record<string, string> | undefined> {
  const given = token.scope?.split(' ').filter(Boolean) ?? []
  if (token.kind === 'ClientCredentials') await refuseForService(token, given, scopes)
  if (token.resourceServer && given.length === 0) throw new errors.InvalidTarget('nothing of this resource is allowed')
  if (!token.grantId || token.resourceServer?.accessTokenFormat !== 'jwt') return undefined
  return { grant: sealedGrant(unitOfWork().deps.sealing, token.grantId) }
}

/**
 * A service acts for nobody: it cannot be given what is a person's (RFC 6749 §4.4; security.md §2), nor, as nobody is there
 * to allow it, what another organisation defines.
 */
async function refuseForService({ clientId = '' }: Draft, given: readonly string[], scopes: Scopes): Promise<void> {
  const unit = unitOfWork()
  const service = await unit.client(clientId)
  for (const key of given) {
    if (isOwnScope(key)) throw new errors.InvalidScope('a service has no person to ask for this', key)
    const owner = await unit.client(scopes.get(key) ?? '')
    if (!service || owner?.developer_id !== service.developer_id) {
      throw new errors.InvalidScope('a service is given scopes of its own organisation only', key)
    }
  }
}

const CONTEXT = 'access_token/grant'

/** What a JWT came of, for us alone: its resource must not learn names of sessions. */
function sealedGrant(sealing: Pick<Sealing, 'seal'>, grant_id: string): string {
  return sealing.seal(grant_id, CONTEXT)
}

export function openedGrant(sealing: Pick<Sealing, 'open'>, sealed: unknown): string {
  return typeof sealed === 'string' ? sealing.open(sealed, CONTEXT) : ''
}
