import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import { PORTS } from './ports.ts'
import { type Certificate, escapedPemOf, startTlsProxy } from './tls.ts'

/**
 * An API for access tokens without `openid`, which userinfo does not accept. At its path `/userinfo` are tokens with `openid`: it
 * asks userinfo, and adds the header that FAPI 1.0 requires of APIs.
 */
export type ProtectedApi = {
  url: string
  /** Accepts JWT access tokens for the scopes of this app. */
  accept(client_id: string): void
}

export type ApiOptions = {
  issuer: string
  /** Where the issuer listens without TLS. */
  target: string
  certificate: Certificate
  /** The header in which the issuer gets client certificates. */
  header: string
}

/** Starts an API that validates JWT access tokens and DPoP proofs. */
export async function startApi({ issuer, target, certificate, header }: ApiOptions): Promise<ProtectedApi> {
  const accepted = new Set<string>()
  const used = new Set<string>()
  const server: oauth.AuthorizationServer = { issuer, jwks_uri: `${issuer}/jwks` }
  const options = { [oauth.customFetch]: () => fetch(`${target}/jwks`) }
  const url = `https://localhost:${PORTS.api}/`
  const api = createServer(async (incoming, outgoing) => {
    if (incoming.url?.startsWith('/userinfo')) return await answerFromUserinfo(incoming, outgoing, { target, header })
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
    const request = new Request(url, { method: incoming.method ?? 'GET', headers })
    try {
      const client_id = String(claimOf(request, 'authorization', 'client_id'))
      if (!accepted.has(client_id)) throw new Error('The token is for another app.')
      await oauth.validateJwtAccessToken(server, request, `${issuer}/resources/${client_id}`, {
        ...options,
        requireDPoP: true,
      })
      // A proof serves for one request (RFC 9449 §11.1); the library leaves this to its caller.
      const proof = String(claimOf(request, 'dpop', 'jti'))
      if (used.has(proof)) throw new Error('The DPoP proof has been used.')
      used.add(proof)
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ client_id }))
    } catch {
      outgoing.writeHead(401, { 'www-authenticate': 'DPoP error="invalid_token", algs="ES256 PS256"' }).end()
    }
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  await startTlsProxy({
    certificate,
    port: PORTS.api,
    target: (api.address() as AddressInfo).port,
    headers: (socket) => ({ [header]: escapedPemOf(socket) }),
    asksForCertificate: true,
  })
  return { url, accept: (client_id) => void accepted.add(client_id) }
}

/** The answer of userinfo, to which FAPI 1.0 adds an interaction id (FAPI 1.0 Part 1 §6.2.1). */
async function answerFromUserinfo(
  { headers }: IncomingMessage,
  outgoing: ServerResponse,
  { target, header }: Pick<ApiOptions, 'target' | 'header'>,
): Promise<void> {
  const passed = { authorization: headers.authorization ?? '', [header]: String(headers[header] ?? '') }
  const answer = await fetch(`${target}/userinfo`, { headers: { ...passed, 'x-forwarded-proto': 'https' } })
  const interaction = headers['x-fapi-interaction-id'] ?? randomUUID()
  const type = answer.headers.get('content-type') ?? 'application/json'
  outgoing.writeHead(answer.status, { 'content-type': type, 'x-fapi-interaction-id': interaction })
  outgoing.end(await answer.text())
}

/** A claim of the JWT in a header, before it has been validated. */
function claimOf(request: Request, header: string, name: string): unknown {
  const [, payload = ''] = request.headers.get(header)?.split('.') ?? []
  return JSON.parse(Buffer.from(payload, 'base64url').toString())[name]
}
