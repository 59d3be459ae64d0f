import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PagePlan, PlannedPage } from '@vrata/contract'
import { startVrata, type VrataTarget } from '../targets.ts'

const DIST = join(import.meta.dirname, '../../web/dist')

/**
 * Starts a server with the pages as a plain single-page application: the same built files, but a document without content and without
 * a list of the scripts that its page needs. The script renders everything, after its own requests.
 */
export async function startPlainPages(settings: Record<string, string>): Promise<VrataTarget> {
  const pages = await mkdtemp(join(tmpdir(), 'vrata-bench-pages-'))
  const plan: PagePlan = JSON.parse(await readFile(join(DIST, 'pages.json'), 'utf8'))
  const made: PagePlan = { ...plan, pages: plan.pages.map(plain), missing: plain(plan.missing) }
  await writeFile(join(pages, 'pages.json'), JSON.stringify(made))
  await symlink(join(DIST, 'client'), join(pages, 'client'))
  const program = [join(import.meta.dirname, 'plain-server.ts')]
  const target = await startVrata({ program, settings: { ...settings, BENCH_PAGES: pages } })
  const stop = target.stop
  target.stop = async () => {
    await stop()
    await rm(pages, { recursive: true, force: true })
  }
  return target
}

function plain(page: PlannedPage): PlannedPage {
  const html = { 'en-US': '', 'sl-SI': '', 'hr-HR': '' }
  const none = { 'en-US': [], 'sl-SI': [], 'hr-HR': [] }
  const { file: _, ...rest } = page
  return { ...rest, prerendered: false, html, scripts: none, phrases: none }
}
