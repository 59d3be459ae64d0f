import { redirect } from '@tanstack/react-router'
import { type Door, guard } from './guard.ts'
import { currentUser, loadUser, setUser, switchDeveloper } from './lib/session.ts'
import { CallFailed, isSilence } from './lib/use-call.ts'
import { notify, type Wires } from './lib/wires.tsx'
import { isServerAddress } from './paths.ts'

/** The part of the router's `beforeLoad` argument that entering a page needs. */
type Entering = {
  context: Wires
  location: { href: string; search: object }
  matches: readonly { params: object; staticData: Partial<Door> & { phrases?: readonly never[] | readonly string[] } }[]
  preload: boolean
}

/** More turns than the guard can ever ask for: load the person, switch, and look once more. */
const TURNS = 4

/** Runs the guard before a page loads, does what it says, and fetches the words of the page meanwhile. */
export async function enter({ context: wires, location, matches, preload }: Entering): Promise<void> {
  const slices = matches.flatMap(({ staticData }) => (staticData.phrases ?? []) as never[])
  const words = wires.i18n.load(['ui', 'problems', ...slices])
  // A pointer that rests on a link must not switch organisations.
  if (!preload) await passGuard(wires, location, matches)
  await words
}

async function passGuard(wires: Wires, location: Entering['location'], matches: Entering['matches']) {
  const leaf = matches.at(-1)
  if (!leaf?.staticData.needs) return
  const door = leaf.staticData as Door
  const { developerId } = leaf.params as { developerId?: string }
  const address = { href: location.href, query: location.search, ...(developerId ? { developer_id: developerId } : {}) }
  const { t } = wires.i18n.now()

  for (let turn = 0; turn < TURNS; turn++) {
    const verdict = guard(door, address, currentUser(wires))
    switch (verdict.do) {
      case 'stay':
        return
      case 'load-user':
        // Without an answer nobody is known to be signed in; the page behind the guard must not open.
        if (!(await loadUser(wires)) && currentUser(wires) === undefined) setUser(wires, null)
        break
      case 'switch-developer': {
        const answer = await switchDeveloper(wires, verdict.developer_id)
        if (answer.ok) break
        if (isSilence(answer.http)) throw new CallFailed(answer.problem, answer.http)
        notify(wires.notices, t('ui.no_access.developer'))
        throw redirect({ href: verdict.otherwise, replace: true })
      }
      case 'go':
        if (verdict.because)
          notify(wires.notices, t('ui.no_access.level', { level: t(`ui.level.${door.needs as 'member'}`) }))
        throw redirect({ href: verdict.to, replace: true, reloadDocument: isServerAddress(verdict.to) })
    }
  }
}
