import type { FastifyInstance } from 'fastify'
import { outbound } from '../adapters/outbound-http.ts'
import { engineOf } from '../db/dialect.ts'
import type { AppDeps } from '../deps.ts'
import { ClientErrorLog } from '../features/client-diagnostics/public.ts'
import { limitDocuments } from '../http/guards/rate-limit.ts'
import { isLoopbackUrl } from '../lib/loopback.ts'
import { certificateReader } from './certificates/client-certificate.ts'
import { mountClientEndpoints } from './endpoints/client-endpoints.ts'
import { type IssuerOptions, mountPageEndpoints } from './endpoints/page-endpoints.ts'
import { refuseOtherMethods } from './endpoints/refuse-other-methods.ts'
import type { IssuerContext } from './endpoints/serve-provider.ts'
import { ClientKeys } from './keys/client-keys.ts'
import { mountFrontchannelLogout } from './logout/frontchannel-logout.ts'
import { MetadataDocuments } from './metadata-documents/metadata-documents.ts'
import { ClientCache } from './provider/clients/client-cache.ts'
import { CurrentProvider } from './provider/current-provider.ts'
import { mountRegistration } from './registration/registration.ts'
import { RememberedRows } from './request/remembered-rows.ts'
import { UnknownCommits } from './request/unknown-commits.ts'

/** Mounts the endpoints of the issuer (protocol §4.1). */
export async function mountIssuer(app: FastifyInstance, deps: AppDeps, options: IssuerOptions): Promise<IssuerContext> {
  const provider = await CurrentProvider.open(deps)
  const clients = new ClientCache(deps.db, deps.signals)
  const toClients = outbound({ loopback: isLoopbackUrl(deps.config.url) })
  const keys = new ClientKeys(toClients)
  const limits = limitDocuments(deps.config.limits_factor)
  const documents = new MetadataDocuments(deps, { clients, outbound: toClients, limits })
  const clientErrors = new ClientErrorLog(deps)
  const unknownCommits = new UnknownCommits(deps)
  app.addHook('onClose', async () => {
    await provider.close()
    clients.close()
    unknownCommits.close()
  })
  const remembered = engineOf(deps.config.database_url) === 'postgres' ? new RememberedRows() : undefined
  const certificateOf = certificateReader(deps.config)
  const context = { deps, provider, clients, documents, keys, clientErrors, unknownCommits, remembered, certificateOf }
  await app.register(async (scope) => mountClientEndpoints(scope, context, options.limit))
  if (deps.config.client_registration) {
    await app.register(async (scope) =>
      refuseOtherMethods(scope, () => mountRegistration(scope, context, options.limit)),
    )
  }
  mountFrontchannelLogout(app, deps)
  await app.register(async (scope) => mountPageEndpoints(scope, context, options))
  return context
}
