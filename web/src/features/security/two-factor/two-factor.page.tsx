import { useState } from 'react'
import { useUser } from '../../../lib/session.ts'
import { EnableTwoFactor } from './enable-two-factor.tsx'
import { TwoFactorEnabled } from './two-factor-enabled.tsx'

/** `/security/two-factor-authentication`: one-time codes and recovery codes. */
export function TwoFactorPage() {
  const { otp_enabled } = useUser()
  // Enabled, but the recovery codes are not saved yet.
  const [saving, setSaving] = useState(false)
  return otp_enabled && !saving ? <TwoFactorEnabled /> : <EnableTwoFactor onSaving={setSaving} />
}
