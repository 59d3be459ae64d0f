import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { type Api, createApi } from '@vrata/contract'
import { type Cookies, cookieHeader, storeCookies } from '../testing/api-client.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export interface Answer {
  status: number
  body: string
  location: string | undefined
  retry_after: string | undefined
}

export interface RequestOptions {
  body?: string
  /** `Content-Type` of the body. */
  type?: string
  authorization?: string
}

/** Addresses that stand for several servers of one installation, with its public address: each request goes to a random one. */
export const BALANCED = new Map<string, { origin: string; servers: readonly string[] }>()

/** The parts of a browser that a load needs: cookies, keep-alive connections, and client addresses from 4096 networks. */
export class Browser {
  readonly url: string
  readonly cookies: Cookies
  readonly #origin: string

  /** `origin`: the public address, where `url` is that of one server. */
  constructor(url: string, cookies: Cookies = new Map(), origin = BALANCED.get(url)?.origin ?? url) {
    this.url = url
    this.cookies = cookies
    this.#origin = origin
  }

  /** The same browser, at another address of the installation. */
  at(url: string): Browser {
    return new Browser(url, this.cookies, this.#origin)
  }

  /** Headers of a request besides the address of the client. */
  headers(method: string, path: string, { body, type, authorization }: RequestOptions): Record<string, string> {
    const headers: Record<string, string> = {}
    const cookie = cookieHeader(this.cookies)
    if (cookie) headers.cookie = cookie
    if (type) headers['content-type'] = type
    if (authorization) headers.authorization = authorization
    if (method !== 'GET' && path.startsWith('/v1/')) headers.origin = this.#origin
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    return headers
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body } = options
    const from = `10.${randomInt(16)}.${randomInt(256)}.1`
    const headers = { 'x-forwarded-for': from, ...this.headers(method, path, options) }
    return new Promise((resolve, reject) => {
      const sent = request(`${serverOf(this.url)}${path}`, { method, agent, headers }, (response) => {
        storeCookies(this.cookies, response.headers['set-cookie'])
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            location: response.headers.location,
            retry_after: response.headers['retry-after'],
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

function serverOf(url: string): string {
  const servers = BALANCED.get(url)?.servers
  return servers?.[randomInt(servers.length)] ?? url
}

/** The API with the cookies of a browser, each call from another network. */
export function apiOf(browser: Browser): Api {
  return createApi(async ({ method, url, body }) => {
    const options = body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' }
    const answer = await browser.request(method, url, options)
    return { status: answer.status, json: JSON.parse(answer.body), retry_after: answer.retry_after ?? null }
  })
}
