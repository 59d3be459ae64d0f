import type { FastifyInstance } from 'fastify'

/**
 * Gives each request the path of its route. Fastify decodes a path to find the route, and oidc-provider does not: it would not know
 * `/%74oken`, so that a second use of a token there would stay unseen.
 */
export function usePathsOfRoutes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    if (request.url.includes('%')) request.raw.url = withPathOf(request.routeOptions.url, request.url)
    done()
  })
}

function withPathOf(route: string | undefined, url: string): string {
  if (route === undefined || route.includes(':')) return url
  const at = url.indexOf('?')
  return at === -1 ? route : route + url.slice(at)
}
