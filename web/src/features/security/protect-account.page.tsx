import { useSearch } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { Suspense, useEffect, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { useContinue } from '../../lib/use-continue.ts'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { lazyComponent } from '../../ui/lazy-component.ts'

const SecondFactorSetup = lazyComponent(() => import('./second-factor-setup.tsx'), 'SecondFactorSetup')

/**
 * Where an operator whose account has neither a passkey nor two-step sign-in is led, and a person who opens the setup
 * link without one (operators §1). It continues as soon as there is one.
 */
export function ProtectAccountPage() {
  const { t } = useI18n()
  const { otp_enabled, passkeys } = useUser()
  const { redirect = '' } = useSearch({ strict: false }) as { redirect?: string }
  const continueTo = useContinue()
  // Two-step sign-in is being turned on, or it is on and the recovery codes are not saved yet.
  const [saving, setSaving] = useState(false)
  const done = (otp_enabled || passkeys > 0) && !saving

  // biome-ignore lint/correctness/useExhaustiveDependencies: continues once
  useEffect(() => {
    if (done) void continueTo(paths.admin)
  }, [done])

  const waiting = (
    <PublicCard>
      <SkeletonRows rows={3} label={t('second-factor.setup.loading')} />
    </PublicCard>
  )
  if (done) return waiting
  const text = redirect.startsWith(paths.setup(''))
    ? `${t('operators.setup.step', { step: 1 })} ${t('operators.setup.factor_text')}`
    : t('operators.factor.text')
  return (
    <Suspense fallback={waiting}>
      <SecondFactorSetup title={t('operators.factor.title')} text={text} onSaving={setSaving} />
    </Suspense>
  )
}

ProtectAccountPage.preload = SecondFactorSetup.preload
