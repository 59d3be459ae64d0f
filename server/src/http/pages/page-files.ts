import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlannedPage } from '@vrata/contract'

/** Adds to a page the HTML that is in its file. Each file of the folder `dist` is read when its page is first sent, and then kept. */
export function pageFiles(dist: string): (page: PlannedPage) => Promise<PlannedPage> {
  const kept = new Map<PlannedPage, PlannedPage>()
  return async (page) => {
    if (page.file === undefined) return page
    const known = kept.get(page)
    if (known) return known
    const whole = { ...page, html: JSON.parse(await readFile(join(dist, page.file), 'utf8')) }
    kept.set(page, whole)
    return whole
  }
}
