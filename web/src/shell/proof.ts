import { useEffect } from 'react'
import { useWires } from '../lib/wires.tsx'

/**
 * Hangs the question "is it you?" into the wires. A call that wants a fresh sign-in asks it and then goes on by itself
 * (`lib/api.ts`), so pages neither ask nor repeat anything. Calls that come meanwhile wait for the same answer.
 */
export function useProof() {
  const wires = useWires()
  useEffect(() => {
    let asking: Promise<boolean> | undefined
    wires.proof.ask = () => {
      asking ??= import('./prove.ts')
        .then(({ prove }) => prove(wires))
        .finally(() => {
          asking = undefined
        })
      return asking
    }
    return () => {
      wires.proof.ask = undefined
    }
  }, [wires])
}
