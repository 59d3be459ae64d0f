import type { Page } from '@playwright/test'
import type { Route } from '@vrata/contract'

/** Drops the answers of the server to this call, until `page.unrouteAll`. */
export async function loseAnswers(page: Page, { method, path }: Route) {
  await page.route(`**/v1${path.replaceAll(/:\w+/g, '*')}`, async (route) => {
    if (route.request().method() !== method) return await route.fallback()
    await route.fetch()
    await route.abort()
  })
}
