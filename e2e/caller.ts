import type { BrowserContext } from '@playwright/test'
import { type Api, createApi } from '@vrata/contract'

/** The API with the cookies of this browser. */
export function callerOf({ request }: BrowserContext, { url: origin }: { url: string }): Api {
  return createApi(async ({ method, url, body }) => {
    const answer = await request.fetch(origin + url, { method, data: body, headers: { origin } })
    return { status: answer.status(), json: await answer.json(), retry_after: answer.headers()['retry-after'] ?? null }
  })
}
