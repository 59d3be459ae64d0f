import { USER_PLACES } from './places.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** The person's own pages. */
export function UserShell() {
  return <SignedInShell mode="user" places={USER_PLACES} />
}
