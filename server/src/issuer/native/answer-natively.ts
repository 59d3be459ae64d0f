import type { FastifyRequest } from 'fastify'
import { type IssuerContext, providerRequestFor } from '../endpoints/serve-provider.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/**
 * Answers a request with the rows that this server remembers. When one of them has changed, nothing was written, and the request is answered
 * once more with rows that are read (decision 0097). Undefined when oidc-provider has to answer.
 */
export async function answerNatively<Answer>(
  context: IssuerContext,
  request: FastifyRequest,
  answer: (providerRequest: ProviderRequest) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const first = providerRequestFor(context, request, context.remembered)
  const answered = await answer(first)
  if (answered !== undefined || first.reads.assumed.length === 0) return answered
  return await answer(providerRequestFor(context, request, context.remembered))
}
