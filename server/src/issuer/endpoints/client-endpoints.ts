import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ipOf } from '../../http/client-ip.ts'
import { mountTokenEndpoint } from '../native/token-endpoint.ts'
import { ROUTES } from '../paths.ts'
import { acceptForms } from './accept-forms.ts'
import { answerOAuthErrors } from './answer-oauth-errors.ts'
import { preflight } from './cors.ts'
import { mountNativeEndpoints } from './native-endpoints.ts'
import { usePathsOfRoutes } from './paths-of-routes.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'
import { type IssuerContext, providerRequestFor, serveProvider } from './serve-provider.ts'

/** Mounts the endpoints that clients call, and the documents for them. */
export function mountClientEndpoints(app: FastifyInstance, context: IssuerContext, limit: (ip: string) => void): void {
  usePathsOfRoutes(app)
  acceptForms(app)
  answerOAuthErrors(app, context)
  refuseOtherMethods(app, () => {
    mountNativeEndpoints(app, context)
    mountTokenEndpoint(app, context)
    const serve = (request: FastifyRequest, reply: FastifyReply) =>
      serveProvider(context, request, reply, providerRequestFor(context, request))
    const limited = { onRequest: async (request: FastifyRequest) => limit(ipOf(request)) }
    app.post(ROUTES.revocation, serve)
    app.post(ROUTES.pushed_authorization_request, limited, serve)
    app.post(ROUTES.backchannel_authentication, limited, serve)
    app.post(ROUTES.device_authorization, limited, serve)
    for (const url of [
      ROUTES.token,
      ROUTES.revocation,
      ROUTES.pushed_authorization_request,
      ROUTES.device_authorization,
    ])
      app.options(url, (request, reply) => preflight(request, reply, 'POST'))
  })
}
