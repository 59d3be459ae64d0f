import { problem } from '@vrata/contract'
import type { FastifyInstance, HTTPMethods } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only answers 405, and so does not count as an endpoint. */
    refuses?: true
  }
}

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Mounts endpoints, and answers their other methods with 405 before a body is read (security §4.1.4). */
export function refuseOtherMethods(app: FastifyInstance, mount: () => void): void {
  const endpoints = new Map<string, Set<HTTPMethods>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = endpoints.get(url) ?? new Set()
    for (const one of [method].flat() as HTTPMethods[]) methods.add(one)
    endpoints.set(url, methods)
  })
  mount()
  for (const [url, has] of [...endpoints]) {
    const allow = [...has].join(', ')
    app.route({
      // Fastify answers HEAD where there is GET; elsewhere the pages do.
      method: METHODS.filter((one) => !has.has(one) && !(one === 'HEAD' && has.has('GET'))),
      url,
      exposeHeadRoute: false,
      config: { refuses: true },
      onRequest: async (_, reply) => {
        reply.header('allow', allow)
        throw problem('method_not_allowed')
      },
      handler: async () => undefined,
    })
  }
}
