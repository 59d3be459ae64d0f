import type { IncomingMessage } from 'node:http'
import { decodeProtectedHeader } from 'jose'
import { Provider } from 'oidc-provider'

// The part of compat.ts about the HTTP requests that oidc-provider gets. Its tests are in compat.test.ts.

/**
 * Depends on oidc-provider 9.x: with `proxy`, URLs in responses follow `X-Forwarded-Proto` and `X-Forwarded-Host`, which
 * `setForwardedOrigin` writes. So they never follow the Host header of the request.
 */
export function trustForwardedOrigin(provider: Provider): void {
  provider.proxy = true
}

/** See `trustForwardedOrigin`. */
export function setForwardedOrigin(request: IncomingMessage, origin: string): void {
  const { protocol, host } = new URL(origin)
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
}

/**
 * Gives a form that has been read to the library. Depends on oidc-provider 9.x: it reads a body of at most 56 KB by `readable`,
 * `readableEncoding` and `iterator()` of the request, compares its size with `Content-Length`, and decodes it by the charset of
 * `Content-Type`. From `body` it would take the form, too, but with a warning on the console.
 */
export function setFormBody(request: IncomingMessage, form: string): void {
  const body = Buffer.from(form)
  request.headers['content-length'] = String(body.length)
  request.headers['content-type'] = 'application/x-www-form-urlencoded'
  const iterator = async function* () {
    yield body
  }
  const members = { readable: true, readableEncoding: null, iterator }
  for (const [name, value] of Object.entries(members)) Object.defineProperty(request, name, { value, writable: true })
}

/** Depends on `Provider.ctx` as `isSignatureSent` (compat.ts). Ids of the keys with which the client says that it has signed. */
export function sentKeyIds(): string[] {
  const { params, body } = Provider.ctx?.oidc ?? {}
  return [params?.client_assertion, params?.request, body?.request].flatMap((jwt) => {
    try {
      return decodeProtectedHeader(String(jwt)).kid ?? []
    } catch {
      return []
    }
  })
}
