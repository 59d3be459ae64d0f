import { useState } from 'react'
import { useUser } from '../../lib/session.ts'
import { EnableTwoFactor } from './enable-two-factor.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { QrSwitch } from './qr-switch.tsx'
import { TwoFactorOn } from './two-factor-on.tsx'

/** The second step of signing in: off, being set up, or on; and passkeys, which need no second step. */
export function TwoFactorPage() {
  const { otp_enabled } = useUser()
  // On since a moment ago, but the codes are still to be saved.
  const [saving, setSaving] = useState(false)
  return (
    <>
      {otp_enabled && !saving ? <TwoFactorOn /> : <EnableTwoFactor onSaving={setSaving} />}
      <PasskeysCard />
      <QrSwitch />
    </>
  )
}
