import { useQuery } from '@tanstack/react-query'
import { signIn } from '@vrata/contract'
import * as policy from '@vrata/contract/policy'
import { Suspense, useEffect, useState } from 'react'
import { callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { setUser, useUser } from '../../lib/session.ts'
import { useContinue } from '../../lib/use-continue.ts'
import { ErrorCard } from '../../ui/feedback/error-card.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { lazyComponent } from '../../ui/lazy-component.ts'
import { SignOutLink } from './sign-out-link.tsx'

const SecondFactorSetup = lazyComponent(() => import('./second-factor-setup.tsx'), 'SecondFactorSetup')

/** Steps that the policy requires before the sign-in is complete; then the page continues to its destination (operators §8). */
export function FinishSignInPage() {
  const { t } = useI18n()
  const { next_step } = useUser()
  const continueTo = useContinue()
  // Two-step sign-in is being turned on, or it is on and the recovery codes are not saved yet.
  const [saving, setSaving] = useState(false)
  const done = next_step === null && !saving

  // biome-ignore lint/correctness/useExhaustiveDependencies: continues once
  useEffect(() => {
    if (done) void continueTo()
  }, [done])

  if (next_step === 'terms') return <AcceptTerms />
  if (done) return <Loading />
  return (
    <Suspense fallback={<Loading />}>
      <SecondFactorSetup
        title={t('second-factor.setup.title')}
        text={t('second-factor.setup.text')}
        onSaving={setSaving}
      />
    </Suspense>
  )
}

FinishSignInPage.preload = SecondFactorSetup.preload

function AcceptTerms() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const { data, error, refetch } = useQuery(callQuery(context, policy.getPublicPolicy, {}))
  if (!data)
    return error ? (
      <ErrorCard
        title={t('ui.error.heading')}
        text={t('ui.error.text')}
        onRetry={() => void refetch()}
        code={requestIdOf(error)}
      />
    ) : (
      <Loading />
    )
  const { terms_version, terms_url, privacy_url } = data

  async function accept() {
    const answer = await context.api(signIn.acceptTerms, { ...(terms_version && { terms_version }) })
    if (answer.ok) {
      setUser(context, answer.data.user)
      return undefined
    }
    // The terms have changed since they were shown.
    if (answer.problem.fields?.terms_version) return void (await refetch())
    return formErrors(answer)
  }

  return (
    <PublicCard
      title={t('second-factor.terms.title')}
      text={t(terms_version ? 'second-factor.terms.text' : 'second-factor.terms.none')}
    >
      {terms_version && (
        <ul className="mb-5 flex flex-col">
          {terms_url && <Policy href={terms_url}>{t('second-factor.terms.read')}</Policy>}
          {privacy_url && <Policy href={privacy_url}>{t('second-factor.terms.privacy')}</Policy>}
        </ul>
      )}
      <Form onSubmit={accept}>
        {terms_version && <input type="hidden" name="terms_version" value={terms_version} />}
        <Submit wide>{t(terms_version ? 'second-factor.terms.accept' : 'second-factor.step.do')}</Submit>
      </Form>
      <SignOutLink />
    </PublicCard>
  )
}

function Policy({ href, children }: { href: string; children: string }) {
  return (
    <li>
      <a
        href={href}
        target="_blank"
        rel="noreferrer"
        className="flex min-h-11 items-center font-semibold text-brand underline hover:text-brand-strong"
      >
        {children}
      </a>
    </li>
  )
}

function Loading() {
  const { t } = useI18n()
  return (
    <PublicCard>
      <SkeletonRows rows={3} label={t('second-factor.setup.loading')} />
    </PublicCard>
  )
}
