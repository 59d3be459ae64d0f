import { createMemoryHistory } from '@tanstack/react-router'
import type { Boot } from '@vrata/contract'
import { App, createAppContext, createAppRouter } from './app.tsx'
import { markup } from './markup.ts'
import { titleOf } from './root.tsx'

/** A public page: its path with placeholders, and the query parameters of its step. */
export type PublicPage = { address: string; query?: Record<string, string> | undefined; boot: Boot }

/** Renders a public page for a visitor who is not signed in. */
export async function renderPublic({ address, query = {}, boot }: PublicPage) {
  const context = createAppContext({ ...boot, rendered_for: query })
  const router = createAppRouter(
    context,
    createMemoryHistory({ initialEntries: [`${address}?${new URLSearchParams(query)}`] }),
  )
  await router.load()
  const { t } = context.i18n.now()
  const title = t(titleOf(router.state.matches) ?? 'ui.title.not_found')
  return { title: `${title} · ${t('ui.product')}`, html: await markup(<App context={context} router={router} />) }
}
