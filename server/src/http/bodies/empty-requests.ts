import type { FastifyInstance } from 'fastify'
import { hasBody } from './slow-requests.ts'

/**
 * Lets a request whose headers announce no body have none, whatever its type says: many programs name a type in every request. Node.js makes
 * no stream for it (`optimizeEmptyRequests`), and Fastify would wait for the end of that. Uploads say themselves what is missing.
 */
export function ignoreTypesOfNoBody(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const { headers } = request.raw
    const type = headers['content-type']
    if (type !== undefined && !type.startsWith('multipart/') && !hasBody(request)) delete headers['content-type']
    done()
  })
}
