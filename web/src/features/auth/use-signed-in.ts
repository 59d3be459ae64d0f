import type { UserInfo } from '@vrata/contract/account'
import { setUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { useGoOn } from './go-on.ts'

/** The last step of every way to sign in; settles when the visitor is where they were headed. */
export function useSignedIn() {
  const wires = useWires()
  const goOn = useGoOn()
  return async ({ user }: { user: UserInfo }): Promise<void> => {
    setUser(wires, user)
    await goOn()
  }
}
