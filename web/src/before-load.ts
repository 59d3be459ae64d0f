import { redirect } from '@tanstack/react-router'
import { isServerAddress } from '@vrata/contract/page-addresses'
import { type PageAccess, type PageGuardResult, pageGuard } from '@vrata/contract/page-guard'
import { CallError, isUnavailable } from './lib/api/call-query.ts'
import { type AppContext, notify } from './lib/app-context.tsx'
import { currentUser, loadUser, setUser, switchDeveloper } from './lib/session.ts'

/** The part of the router's `beforeLoad` arguments that is used here. */
type BeforeLoadArgs = {
  context: AppContext
  location: { href: string; search: object }
  matches: readonly {
    params: object
    staticData: Partial<PageAccess> & { phrases?: readonly never[] | readonly string[] }
  }[]
  preload: boolean
}

/** Upper limit of guard steps: load the user, switch, check again. */
const MAX_STEPS = 4

/**
 * Runs the page guard before a page loads and loads the phrases of all pages. The phrases of the page itself are awaited by
 * its own route, so that a failure leaves the menus in place.
 */
export async function beforeLoad({ context, location, matches, preload }: BeforeLoadArgs): Promise<void> {
  const names = matches.flatMap(({ staticData }) => (staticData.phrases ?? []) as never[])
  const words = context.i18n.load(['ui', 'problems'])
  // Requested early: the guard may wait for the server.
  context.i18n.load(names).catch(() => {})
  // Preloading on hover must not switch the organization. It ends where the guard leads elsewhere, without following.
  if (!preload) await applyGuard(context, location, matches, words)
  else if (guardResult(context, location, matches)?.do === 'go') throw redirect({ reloadDocument: true })
  await words
}

/** Result of the page guard for an address and the current user; undefined where there is no page. */
export function guardResult(
  context: AppContext,
  location: BeforeLoadArgs['location'],
  matches: BeforeLoadArgs['matches'],
): PageGuardResult | undefined {
  const leaf = matches.at(-1)
  if (!leaf?.staticData.needs) return undefined
  const { developerId } = leaf.params as { developerId?: string }
  const address = { href: location.href, query: location.search, ...(developerId ? { developer_id: developerId } : {}) }
  return pageGuard(leaf.staticData as PageAccess, address, currentUser(context))
}

async function applyGuard(
  context: AppContext,
  location: BeforeLoadArgs['location'],
  matches: BeforeLoadArgs['matches'],
  words: Promise<void>,
) {
  // The sentences may still load on the first page.
  const translator = async () => {
    await Promise.all([words, context.i18n.load(['menu'])])
    return context.i18n.now().t
  }

  for (let turn = 0; turn < MAX_STEPS; turn++) {
    const verdict = guardResult(context, location, matches)
    switch (verdict?.do) {
      case undefined:
      case 'stay':
        return
      case 'load-user':
        // Without a response the user counts as signed out, so the protected page must not open.
        if (!(await loadUser(context))) setUser(context, null)
        break
      case 'switch-developer': {
        const answer = await switchDeveloper(context, verdict.developer_id)
        if (answer.ok) break
        if (isUnavailable(answer.http)) throw new CallError(answer.problem, answer.http)
        notify(context.notices, (await translator())('menu.no_access.developer'))
        throw redirect({ href: verdict.otherwise, replace: true })
      }
      case 'go':
        if (verdict.because) {
          const t = await translator()
          notify(
            context.notices,
            t('menu.no_access.level', { level: t(`menu.level.${matches.at(-1)?.staticData.needs as 'member'}`) }),
          )
        }
        throw redirect({ href: verdict.to, replace: true, reloadDocument: isServerAddress(verdict.to) })
    }
  }
}
