import { useHydrated } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { passkeysSupported } from '../../lib/passkeys-supported.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { KeyIcon } from '../../ui/icons.tsx'
import type { Outcome } from './passkey-sign-in.ts'
import { useSignedIn } from './use-signed-in.ts'

const load = () => import('./passkey-sign-in.ts')

type Props = {
  label: string
  /** The field of the user name suggests passkeys meanwhile (WebAuthn Level 3, §5.1.4, conditional mediation). */
  suggest?: boolean
  onFailed: (sentence: string | undefined) => void
}

/** A way in without a password, to be seen wherever the browser has it; what it does comes when it is needed. */
export function PasskeyButton({ label, suggest = false, onFailed }: Props) {
  const wires = useWires()
  const signedIn = useSignedIn()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState(false)
  const able = !hydrated || passkeysSupported()

  async function end(outcome: Outcome) {
    if ('user' in outcome) await signedIn(outcome)
    else onFailed(outcome.failed)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit of the form; a press of the button takes over
  useEffect(() => {
    if (!suggest || !passkeysSupported()) return
    let stop = () => {}
    let here = true
    void load().then(({ suggestPasskeys }) => {
      if (here) stop = suggestPasskeys(wires, (outcome) => void end(outcome))
    })
    return () => {
      here = false
      stop()
    }
  }, [])

  async function press() {
    setBusy(true)
    onFailed(undefined)
    await end(await (await load()).passkeySignIn(wires))
    setBusy(false)
  }

  if (!able) return null
  return (
    <Button wide busy={busy} className="noscript:hidden" onPointerEnter={load} onClick={() => void press()}>
      <KeyIcon />
      {label}
    </Button>
  )
}
