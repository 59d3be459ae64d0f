import { LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import { type FlatRow, flatRows } from '../src/routes.tsx'
import { earlyScript } from './early-script.ts'
import { patternOf } from './page-plan.ts'

const FAILED = '<p>The script of the page failed. See the console of the browser.</p>'

/**
 * Plan of the pages for `npm run dev`: the rows of the route table with one entry script, served by Vite. Nothing is
 * prerendered, because the HTML would not match changed sources.
 */
export async function developmentPlan(entry: string): Promise<PagePlan> {
  const pages: PlannedPage[] = []
  for (const row of flatRows()) {
    for (const { page } of (await row.paramValues?.()) ?? [])
      pages.push(planned(row, row.path.replace('/{-$page}', page && `/${page}`)))
    pages.push({ ...planned(row, row.path), ...(row.paramValues ? { absent: true } : {}) })
  }
  return {
    pages,
    missing: planned({ needs: 'nobody' }, '/'),
    frame: perLocale({ failed: FAILED, noscript: FAILED }),
    css: '',
    early: await earlyScript(),
    entry,
    fonts: perLocale([]),
  }
}

function planned(row: Pick<FlatRow, 'needs' | 'role' | 'popup' | 'redirect'>, path: string): PlannedPage {
  return {
    pattern: patternOf(path),
    needs: row.needs,
    ...(row.role ? { role: row.role } : {}),
    ...(row.popup ? { popup: true } : {}),
    ...(row.redirect ? { redirect: row.redirect } : {}),
    prerendered: false,
    // The page sets its title when it runs.
    titles: perLocale('Vrata'),
    html: perLocale(''),
    scripts: perLocale([]),
    phrases: perLocale([]),
  }
}

function perLocale<T>(value: T): Record<Locale, T> {
  return Object.fromEntries(LOCALES.map((locale) => [locale, value])) as Record<Locale, T>
}
