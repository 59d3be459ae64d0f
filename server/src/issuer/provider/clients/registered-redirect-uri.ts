import { isLoopbackHostname } from '@vrata/contract/loopback'
import type { Config } from '../../../config/config.ts'
import {
  findRedirectUrisOfEnabledClient,
  type IssuerClient,
  redirectUriOfEnabledClient,
} from '../../../features/clients/public.ts'
import { type Write, writeAs } from '../../request/writes.ts'
import { testRedirectUri } from '../../test-sign-in/test-client-metadata.ts'
import { RedirectUriRemovedError } from '../provider-errors.ts'

type RegisteredUris = Pick<IssuerClient, 'type' | 'redirect_uris'>

/**
 * Whether the client has registered the redirect URI. The port of a loopback address of a native client may vary (RFC 8252
 * §7.3). Every client has the redirect URI of test sign-ins (decision 0041). oidc-provider checks this when it receives a request
 * and not when it resumes one.
 */
export function isRegisteredRedirectUri(
  config: Pick<Config, 'url'>,
  { type, redirect_uris }: RegisteredUris,
  uri: unknown,
): boolean {
  if (typeof uri !== 'string') return false
  if (redirect_uris.includes(uri) || uri === testRedirectUri(config)) return true
  const bare = type === 'native' ? withoutLoopbackPort(uri) : undefined
  return bare !== undefined && redirect_uris.some((registered) => withoutLoopbackPort(registered) === bare)
}

function withoutLoopbackPort(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== 'http:' || !isLoopbackHostname(url.hostname)) return undefined
  url.port = ''
  return url.href
}

/**
 * Write that fails when the client has been disabled or deleted, or the redirect URI has been removed. It runs in the transaction
 * that stores a code, because the cached client may be older than a change on another node (security §19.21).
 */
export function assertRedirectUri(
  { client_id, type, redirect_uris: known }: Pick<IssuerClient, 'client_id' | 'type' | 'redirect_uris'>,
  uri: unknown,
): Write {
  return writeAs(
    // The exact ones: others are compared in another way.
    async () =>
      typeof uri === 'string' && known.includes(uri)
        ? { guards: [{ statement: redirectUriOfEnabledClient({ client_id, redirect_uri: uri }), missing: false }] }
        : undefined,
    async ({ db, config }) => {
      const redirect_uris = await findRedirectUrisOfEnabledClient(db, client_id)
      if (!redirect_uris || !isRegisteredRedirectUri(config, { type, redirect_uris }, uri))
        throw new RedirectUriRemovedError()
    },
  )
}
