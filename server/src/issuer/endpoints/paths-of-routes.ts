import type { FastifyInstance } from 'fastify'

/**
 * Gives each request the path of its route. Fastify finds the route of `/%74oken` and of `/token/`, too. oidc-provider does not know the
 * first one, and what depends on the endpoint compares its path: a second use of a token would stay unseen there.
 */
export function usePathsOfRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const { routeOptions, url } = request
    const query = url.indexOf('?')
    const path = query === -1 ? url : url.slice(0, query)
    const route = routeOptions.url
    if (route !== undefined && route !== path && !route.includes(':')) request.raw.url = route + url.slice(path.length)
    done()
  })
}
