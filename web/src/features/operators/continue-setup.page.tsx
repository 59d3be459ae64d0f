import { useQuery } from '@tanstack/react-query'
import * as branding from '@vrata/contract/branding'
import * as operators from '@vrata/contract/operators'
import { paths } from '@vrata/contract/page-addresses'
import * as policy from '@vrata/contract/policy'
import { useEffect, useRef, useState } from 'react'
import { callQuery } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/feedback/error-card.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { SetUpInstallation } from './set-up-installation.tsx'
import { SetUpJoining } from './set-up-joining.tsx'

/** The second and third step of setting up an installation, and what many do next (operators §1). */
export function ContinueSetupPage() {
  const { t } = useI18n()
  const context = useAppContext()
  const setup = useQuery(callQuery(context, operators.getSetup, {}))
  const look = useQuery(callQuery(context, branding.getBranding, {}))
  const rules = useQuery(callQuery(context, policy.getPolicy, {}))
  const [step, setStep] = useState<2 | 3 | 'done'>(2)
  const page = useRef<HTMLDivElement>(null)

  // Moves focus to the title of the new step, for screen readers.
  const last = useRef(step)
  useEffect(() => {
    if (step !== last.current) page.current?.querySelector('h1')?.focus()
    last.current = step
  }, [step])

  if (setup.error || look.error || rules.error)
    return (
      <ErrorCard
        title={t('operators.failed')}
        text={t('operators.failed_text')}
        onRetry={() => void Promise.all([setup.refetch(), look.refetch(), rules.refetch()])}
      />
    )
  if (!setup.data || !look.data || !rules.data)
    return (
      <PublicCard title={t('operators.setup.title')}>
        <SkeletonRows rows={3} label={t('operators.setup.loading')} />
      </PublicCard>
    )
  return (
    <div ref={page} className="flex w-full flex-col items-center">
      {step === 2 && <SetUpInstallation setup={setup.data} name={look.data.name} onDone={() => setStep(3)} />}
      {step === 3 && <SetUpJoining policy={rules.data} onBack={() => setStep(2)} onDone={() => setStep('done')} />}
      {step === 'done' && <Next />}
    </div>
  )
}

/** Where a new installation continues. */
function Next() {
  const { t } = useI18n()
  return (
    <PublicCard title={t('operators.setup.finished')} text={t('operators.setup.finished_text')}>
      <Card className="mb-6">
        <Rows>
          <Row key="look" label={t('operators.setup.next_look')} href={paths.adminLook} />
          <Row key="group" label={t('operators.setup.next_group')} href={paths.adminGroups} />
          <Row key="people" label={t('operators.setup.next_people')} href={paths.adminPeople} />
          <Row key="app" label={t('operators.setup.next_app')} href={paths.developers} />
        </Rows>
      </Card>
      <ButtonLink look="primary" href={paths.adminOverview}>
        {t('operators.setup.to_admin')}
      </ButtonLink>
    </PublicCard>
  )
}
