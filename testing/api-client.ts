import { type Answer, type Api, createApi } from '@vrata/contract'

/** Cookies of one browser for one host: name → value. */
export type Cookies = Map<string, string>

/** The `Cookie` request header; undefined without cookies. */
export function cookieHeader(cookies: Cookies): string | undefined {
  return cookies.size ? [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') : undefined
}

/** Applies `Set-Cookie` response headers. An empty value or `Max-Age=0` deletes the cookie. */
export function storeCookies(cookies: Cookies, lines: string | readonly string[] | undefined): void {
  for (const line of [lines ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /;\s*max-age=0(;|$)/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

export type ApiClientOptions = {
  /** Where the server listens. */
  url: string
  /** Origin of the pages; `url` unless a proxy stands in front of the server. */
  origin?: string
  cookies?: Cookies
}

/** The API over HTTP, with the cookies of one browser. */
export function apiClient({ url: base, origin = base, cookies = new Map() }: ApiClientOptions): Api {
  return createApi(async ({ method, url, body }) => {
    const headers = new Headers({ origin })
    const cookie = cookieHeader(cookies)
    if (cookie) headers.set('cookie', cookie)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const response = await fetch(base + url, { method, headers, body: JSON.stringify(body) })
    storeCookies(cookies, response.headers.getSetCookie())
    return { status: response.status, json: await response.json(), retry_after: response.headers.get('retry-after') }
  })
}

/** The data of a successful call; throws the problem of a failed one. */
export function dataOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.problem.code}: ${answer.problem.message}`)
  return answer.data
}
