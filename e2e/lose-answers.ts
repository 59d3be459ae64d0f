import type { Page } from '@playwright/test'
import type { Route } from '@vrata/contract'

/** From now on the server answers this call, and the page gets nothing. Undone by `page.unrouteAll`. */
export async function loseAnswers(page: Page, { method, path }: Route) {
  await page.route(`**/v1${path.replaceAll(/:\w+/g, '*')}`, async (route) => {
    if (route.request().method() !== method) return await route.fallback()
    await route.fetch()
    await route.abort()
  })
}
