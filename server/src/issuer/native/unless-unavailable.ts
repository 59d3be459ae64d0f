import type { FastifyReply, FastifyRequest } from 'fastify'
import { headersOf, type IssuerContext } from '../endpoints/serve-provider.ts'
import { UNAVAILABLE } from '../provider/commit-response.ts'
import { isDatabaseUnavailable } from '../request/is-database-unavailable.ts'

/** Answers 503, as oidc-provider would, when the database is unavailable; otherwise resolves like the work. */
export async function unlessUnavailable<T>(
  { deps }: Pick<IssuerContext, 'deps'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Promise<T>,
  headers: Record<string, string> = {},
): Promise<T | 'answered'> {
  try {
    return await work
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    const body = Buffer.from(JSON.stringify(UNAVAILABLE.body))
    request.native = true
    request.problem = UNAVAILABLE.body.error
    const all = headersOf(deps.config, request, reply)
    reply.hijack()
    reply.raw.writeHead(503, {
      ...(all as Record<string, string>),
      ...headers,
      'cache-control': 'no-store',
      'retry-after': UNAVAILABLE.retry_after,
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    })
    reply.raw.end(body)
    return 'answered'
  }
}
