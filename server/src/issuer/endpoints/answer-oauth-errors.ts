import type { ProblemCode } from '@vrata/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toProblem } from '../../http/problems.ts'
import { allowAnyOrigin } from './cors.ts'
import { basicClientId } from './credentials.ts'
import { sendOAuthError } from './oauth-errors.ts'
import type { IssuerContext } from './serve-provider.ts'

/** Endpoints of this scope answer errors in the format of OAuth, and their responses are not stored unless they say otherwise. */
export function answerOAuthErrors(app: FastifyInstance, context: IssuerContext): void {
  app.addHook('onRequest', (_, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  app.setErrorHandler(async (error, request, reply) => {
    const failure = toProblem(error)
    if (UNREADABLE.includes(failure.code)) await recordUnreadable(context, request, failure.message)
    allowAnyOrigin(reply)
    return sendOAuthError(request, reply, failure)
  })
}

const UNREADABLE: readonly ProblemCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type']

/** Records the error for the developers of the client, where the header names it (decision 0040). */
async function recordUnreadable(
  { clients, clientErrors }: IssuerContext,
  { headers }: FastifyRequest,
  detail: string,
): Promise<void> {
  const id = basicClientId(headers.authorization ?? '')
  const client = id === undefined ? undefined : await clients.find(id)
  if (client) await clientErrors.record({ client_id: client.client_id, reason: 'token_request', detail })
}
