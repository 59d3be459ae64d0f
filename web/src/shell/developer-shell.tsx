import { useUser } from '../lib/session.ts'
import { developerPlaces } from './places.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** The pages of the developer account chosen now. */
export function DeveloperShell() {
  const user = useUser()
  return <SignedInShell mode="developer" places={user.developer_id ? developerPlaces(user, user.developer_id) : []} />
}
