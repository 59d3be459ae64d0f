import type { FastifyRequest } from 'fastify'

type Form = URLSearchParams | undefined

/** The access token of a request: in the header or in the form, not in the query, and not in both (RFC 6750 §2). */
export function presentedBearer(
  request: FastifyRequest,
  form: Form,
): { token: string } | { error: 'invalid_request' | 'none' } {
  const { authorization } = request.headers
  const inForm = form?.getAll('access_token') ?? []
  const inQuery = (request.query as Record<string, unknown>).access_token !== undefined
  if (inQuery || inForm.length > 1 || (authorization && inForm.length > 0)) return { error: 'invalid_request' }
  if (inForm[0]) return { token: inForm[0] }
  // Another scheme presents no access token, also where it is not supported (RFC 6750 §3.1).
  if (!authorization || !/^bearer(?: |$)/i.test(authorization)) return { error: 'none' }
  const token = /^bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1]
  return token ? { token } : { error: 'invalid_request' }
}

/** An access token of a request that sends it in the query or twice, which identifies the app to which the error belongs. */
export function misplacedToken(request: FastifyRequest, form: Form): string | undefined {
  const { access_token } = request.query as Record<string, unknown>
  const inHeader = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return typeof access_token === 'string' ? access_token : (inHeader ?? form?.get('access_token') ?? undefined)
}

/** Client id and secret, in the header or in the form, not in both (RFC 6749 §2.3.1). */
export function presentedClient(
  request: FastifyRequest,
  form: Form,
): { client_id: string; client_secret: string } | { error: 'invalid_request'; error_description: string } {
  const { authorization } = request.headers
  const valuesOf = (name: string) => form?.getAll(name) ?? []
  const [ids, secrets] = [valuesOf('client_id'), valuesOf('client_secret')]
  const malformed = {
    error: 'invalid_request',
    error_description: 'client authentication is missing or malformed',
  } as const
  if (ids.length > 1 || secrets.length > 1) return malformed
  if (!authorization) {
    return ids[0] && secrets[0] ? { client_id: ids[0], client_secret: secrets[0] } : malformed
  }
  const basic = secrets.length === 0 ? parseBasic(authorization) : undefined
  return !basic || (ids[0] && ids[0] !== basic.client_id) ? malformed : basic
}

/** The client id of HTTP Basic authentication. */
export function basicClientId(authorization: string): string | undefined {
  return parseBasic(authorization)?.client_id
}

function parseBasic(authorization: string): { client_id: string; client_secret: string } | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const [id, ...rest] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':')
  const [client_id, client_secret] = [decodeForm(id ?? ''), decodeForm(rest.join(':'))]
  return client_id && client_secret ? { client_id, client_secret } : undefined
}

/** Id and secret are form-encoded before they are joined (RFC 6749 appendix B). */
function decodeForm(text: string): string | undefined {
  // Ids and secrets of ours need no encoding.
  if (!/[%+&]/.test(text)) return text || undefined
  if (/%(?![\da-f]{2})/i.test(text)) return undefined
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') || undefined
}
