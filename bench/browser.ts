import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export interface Answer {
  status: number
  body: string
  location: string | undefined
}

/** As much of a browser as a load needs: cookies, kept-alive connections, and the addresses of some four thousand homes. */
export class Browser {
  readonly url: string
  readonly #cookies = new Map<string, string>()

  constructor(url: string, cookies: Record<string, string> = {}) {
    this.url = url
    for (const [name, value] of Object.entries(cookies)) this.#cookies.set(name, value)
  }

  request(
    method: string,
    path: string,
    { body, type, authorization }: { body?: string; type?: string; authorization?: string } = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = {
      'x-forwarded-for': `10.${randomInt(16)}.${randomInt(256)}.1`,
    }
    if (this.#cookies.size) headers.cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (type) headers['content-type'] = type
    if (authorization) headers.authorization = authorization
    if (method !== 'GET' && path.startsWith('/v1/')) headers.origin = this.url
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${path}`, { method, agent, headers }, (response) => {
        for (const cookie of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          if (value) this.#cookies.set(name, value)
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            location: response.headers.location,
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }
}
