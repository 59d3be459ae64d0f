import { useHydrated } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { passkeysSupported } from '../../lib/passkeys/passkeys-supported.ts'
import { Button } from '../../ui/button.tsx'
import { KeyIcon } from '../../ui/icons/icons.tsx'
import type { PasskeySignInResult } from './passkey-sign-in.ts'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

const load = () => import('./passkey-sign-in.ts')

type Props = {
  label: string
  /** Offers passkeys as autofill of the username field (WebAuthn Level 3 §5.1.4, conditional mediation). */
  suggest?: boolean
  onFailed: (sentence: string | undefined) => void
}

/** Signs in with a passkey. The button is visible wherever passkeys are supported; its code loads on demand. */
export function PasskeyButton({ label, suggest = false, onFailed }: Props) {
  const context = useAppContext()
  const signedIn = useCompleteSignIn()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState(false)

  async function end(outcome: PasskeySignInResult) {
    if ('user' in outcome) await signedIn(outcome)
    else onFailed(outcome.failed)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per form; the button cancels it
  useEffect(() => {
    if (!suggest) return
    const started = load().then(({ suggestPasskeys }) => suggestPasskeys(context, end))
    return () => void started.then((stop) => stop())
  }, [])

  async function press() {
    setBusy(true)
    onFailed(undefined)
    await load()
      .then(({ signInWithPasskey }) => signInWithPasskey(context))
      .then(end)
      // Its code could not be loaded.
      .catch(() => onFailed(context.i18n.now().t('ui.no_answer')))
    setBusy(false)
  }

  if (hydrated && !passkeysSupported()) return null
  return (
    <Button
      data-way="passkey"
      wide
      busy={busy}
      className="noscript:hidden"
      onPointerEnter={load}
      onClick={() => void press()}
    >
      <KeyIcon />
      {label}
    </Button>
  )
}
