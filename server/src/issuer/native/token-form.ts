import type { FastifyRequest } from 'fastify'
import { parseForm } from './parse-form.ts'

/** Parameters of the token requests that are answered here. A request with any other is passed on. */
const PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
] as const
export type TokenForm = Partial<Record<(typeof PARAMETERS)[number], string>>

/** The parameters of a request; undefined when one is unknown, empty or repeated. */
export function tokenForm({ body }: Pick<FastifyRequest, 'body'>): TokenForm | undefined {
  return typeof body === 'string' && body ? parseForm(body, PARAMETERS) : undefined
}
