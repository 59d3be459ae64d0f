import type { BrowserContext } from '@playwright/test'
import { type Api, createApi } from '@vrata/contract'

/** The API with the cookies of a browser. */
export function browserApi({ request }: Pick<BrowserContext, 'request'>, { url: origin }: { url: string }): Api {
  return createApi(async ({ method, url, body }) => {
    const response = await request.fetch(origin + url, { method, data: body, headers: { origin } })
    return {
      status: response.status(),
      json: await response.json(),
      retry_after: response.headers()['retry-after'] ?? null,
    }
  })
}
