import { sessions } from '@vrata/contract'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/** Headers that the calls of a page have in common with the request for its document: who asks, from where, in which language. */
const SAME_HEADERS = ['user-agent', 'accept-language', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/** Reads of a page: the API, and the discovery document (OpenID Connect Discovery §4). */
const OFFERED = /^\/(?:v1\/|\.well-known\/openid-configuration$)/

/** The only call besides reads: it renews the session, and selects the organization that an address names. */
const REFRESH = `/v1${sessions.refresh.path}`

/**
 * The calls of a page that the server renders. Each passes the same routes and guards as if the browser had made it: same
 * cookies, same address, same limits. Cookies that an answer sets apply to the following calls and are for the browser.
 */
export class PageCalls {
  readonly #app: FastifyInstance
  readonly #config: Pick<Config, 'url' | 'api_url'>
  readonly #request: FastifyRequest
  readonly #cookies: Map<string, string | undefined>
  /** `Set-Cookie` headers of the answers. */
  readonly setCookies: string[] = []

  constructor(app: FastifyInstance, config: Pick<Config, 'url' | 'api_url'>, request: FastifyRequest) {
    this.#app = app
    this.#config = config
    this.#request = request
    this.#cookies = new Map(Object.entries(parseCookie((request.headers.cookie ?? '').slice(0, 16_384))))
  }

  /** `fetch` for the pages. Rejects what a page may not do before the browser runs it. */
  readonly fetch: typeof fetch = async (input, { method = 'GET', headers = {}, body } = {}) => {
    const { url, api_url } = this.#config
    const { origin, pathname, search } = new URL(String(input), api_url)
    const known = [url, api_url].some((own) => origin === new URL(own).origin)
    const offered =
      method === 'GET' ? OFFERED.test(pathname) : method === sessions.refresh.method && pathname === REFRESH
    if (!known || !offered)
      throw new TypeError(`${method} ${origin}${pathname} is not for a page that the server renders`)
    const answer = await this.#app.inject({
      method: method as 'GET' | 'PUT',
      url: pathname + search,
      headers: {
        ...this.#sameHeaders(),
        ...(headers as Record<string, string>),
        origin: url,
        cookie: this.#cookieHeader(),
      },
      remoteAddress: this.#request.socket.remoteAddress ?? '127.0.0.1',
      ...(typeof body === 'string' ? { payload: body } : {}),
    })
    this.#keep([answer.headers['set-cookie'] ?? []].flat())
    const type = String(answer.headers['content-type'] ?? '')
    return new Response(answer.statusCode === 204 ? null : answer.body, {
      status: answer.statusCode,
      headers: { 'content-type': type },
    })
  }

  #sameHeaders(): Record<string, string> {
    const { headers } = this.#request
    return Object.fromEntries(SAME_HEADERS.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('; ')
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      this.setCookies.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, decodeURIComponent(value))
    }
  }
}
