import type { FastifyInstance } from 'fastify'

/**
 * Gives each request the path of its route. Fastify decodes a path to find the route, and oidc-provider does not: it would not know
 * `/%74oken`, so that a second use of a token there would stay unseen.
 */
export function usePathsOfRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { url } = request.routeOptions
    if (url === undefined || url.includes(':')) return
    const at = request.url.indexOf('?')
    request.raw.url = at === -1 ? url : url + request.url.slice(at)
  })
}
