import { toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { tellChanged } from './own-client.ts'
import { noteFirst } from './store.ts'

/**
 * Notes that an app has got its first tokens for somebody: the page of its quick start waits for that. Once in the life
 * of an app; whoever remembers it as noted need not ask.
 */
export async function noteFirstSignIn(
  deps: Deps,
  { client_id, first_sign_in_at }: { client_id: string; first_sign_in_at: string | null },
): Promise<void> {
  if (first_sign_in_at !== null) return
  if (await noteFirst(deps.db, client_id, toTime(deps.clock.now()))) await tellChanged(deps, client_id)
}
