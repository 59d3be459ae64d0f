import { useHydrated } from '@tanstack/react-router'
import { signIn } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/sign-in'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type AppContext, useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Shimmer } from '../../ui/feedback/skeleton.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { lazyComponent } from '../../ui/lazy-component.ts'
import { Notice } from './notice.tsx'
import { SignInAside } from './qr/sign-in-aside.tsx'
import { RequestingApp, RequestingAppWithoutScript } from './requesting-app.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { StepLink, StepLinks, StepPrompt } from './step-links.tsx'
import { useSignInQuery } from './use-sign-in-query.ts'
import { type Step, type StepAddress, type StepState, stepOf, useStep } from './use-step.ts'

// Other steps load on demand, because this page has a size budget (`scripts/checks/budget.ts`).
const steps = () => import('./login-steps.tsx')
const ChosenAccount = lazyComponent(steps, 'ChosenAccount')
const LastFailure = lazyComponent(steps, 'LastFailure')
const OtherStep = lazyComponent(steps, 'OtherStep')

/** Loads the step that the address names before hydration. */
export async function preloadLogin({ renderedFor, i18n }: AppContext): Promise<void> {
  const query = { ...renderedFor, ...Object.fromEntries(new URLSearchParams(globalThis.location?.search)) }
  const step = stepOf(query)
  if (step === 'otp') await i18n.load(['second-factor'])
  if (query.problem) await i18n.load(['conflicts'])
  if (step !== 'signin') await OtherStep.preload()
}

/** Sign-in page: one card with several steps. Steps have their own addresses, and the entered address is kept. */
export function LoginPage() {
  const { t, locale, brand } = useI18n()
  const { i18n } = useAppContext()
  const { step: shown, state, query, hrefOf, navigate } = useStep()
  const [typed, setTyped] = useState<string>()
  const [offered, setOffered] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const choosable = shown === 'signin' && !state && !query.problem
  const [known, setKnown] = useKnownAccounts(choosable, () => setOffered(!addressIn(body.current)))
  const step = choosable && offered ? 'accounts' : shown
  const { account } = state ?? {}
  const email = state?.email ?? typed ?? query.login_hint

  /** Without an address the one in the form is kept, also when the page of the step reloads. */
  function goTo(to: Step, state?: StepState, address?: StepAddress) {
    const email = state?.email ?? addressIn(body.current) ?? typed
    setTyped(email)
    navigate(to, { email, ...state }, address)
  }

  async function askForCode(sign_in: string) {
    try {
      await Promise.all([i18n.load(['second-factor']), OtherStep.preload()])
    } catch {
      return { message: t('ui.no_answer') }
    }
    goTo('otp', undefined, { sign_in })
  }

  // Moves focus to the title of the new step for screen readers; code fields focus themselves.
  const current = `${step} ${account?.id}`
  const last = useRef(current)
  useEffect(() => {
    if (current === last.current) return
    last.current = current
    if (step !== 'otp' && !account) body.current?.closest('main')?.querySelector('h1')?.focus()
  }, [current, step, account])

  return (
    <PublicCard
      title={t(step === 'otp' ? 'second-factor.step.title' : `sign-in.${step}.title`)}
      text={
        step === 'sent' ? (
          t(email ? 'sign-in.sent.text' : 'sign-in.sent.any', { email: email ?? '' })
        ) : step === 'otp' ? (
          t('second-factor.step.text')
        ) : (
          <Purpose step={step} />
        )
      }
      aside={<SignInAside />}
    >
      <div ref={body} className="flex flex-col">
        {brand.sign_in_text && <p className="mb-6 whitespace-pre-line">{brand.sign_in_text[locale]}</p>}
        {state?.notice && <Notice>{state.notice}</Notice>}
        {!state && query.problem && (
          <Suspense fallback={null}>
            <LastFailure problem={query.problem} />
          </Suspense>
        )}
        {step === 'signin' && (
          <>
            <SignInForm
              key={account?.id}
              username={email}
              account={account}
              card={
                account && (
                  <StepSuspense>
                    <ChosenAccount account={account} onChange={() => navigate('accounts')} />
                  </StepSuspense>
                )
              }
              onSecondStep={askForCode}
            />
            <StepLinks>
              <StepLink to="forgot" way="password" href={hrefOf('forgot')} onClick={() => goTo('forgot')}>
                {t('sign-in.signin.forgot')}
              </StepLink>
              <StepPrompt way="register" ask={t('sign-in.signin.new')}>
                <StepLink to="signup" href={hrefOf('signup')} onClick={() => goTo('signup')}>
                  {t('sign-in.signin.up')}
                </StepLink>
              </StepPrompt>
            </StepLinks>
          </>
        )}
        {step !== 'signin' && (
          <StepSuspense>
            <OtherStep {...{ step, email, known, setKnown, hrefOf, goTo }} />
          </StepSuspense>
        )}
      </div>
    </PublicCard>
  )
}

const ADDRESS = 'input[name=username], input[name=email]'

function addressIn(body: HTMLElement | null): string | undefined {
  return body?.querySelector<HTMLInputElement>(ADDRESS)?.value
}

/** Loads the accounts known to this browser once they are wanted, and reports when there are some. */
function useKnownAccounts(wanted: boolean, onFound: () => void) {
  const { api } = useAppContext()
  const hydrated = useHydrated()
  const [known, setKnown] = useState<readonly KnownAccount[]>([])
  const asked = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once
  useEffect(() => {
    if (!hydrated || !wanted || asked.current) return
    asked.current = true
    void api(signIn.listKnownAccounts).then((answer) => {
      if (!answer.ok || !answer.data.length) return
      setKnown(answer.data)
      onFound()
    })
  }, [hydrated, wanted])
  return [known, setKnown] as const
}

/** Placeholder while the code of a step loads. */
function StepSuspense({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  return (
    <Suspense
      fallback={
        <div role="status" aria-label={t('sign-in.loading')} className="flex flex-col gap-5">
          <Shimmer className="h-12" />
          <Shimmer className="h-12" />
          <Shimmer className="h-12" />
        </div>
      }
    >
      {children}
    </Suspense>
  )
}

/** Text below the title; it names the requesting app. */
function Purpose({ step }: { step: Exclude<Step, 'sent' | 'otp'> }) {
  const { t } = useI18n()
  const { continueTo } = useAppContext()
  const { redirect } = useSignInQuery()
  const app = redirect && step !== 'forgot' ? continueTo : undefined
  if (app) return <RequestingApp app={app} />
  return (
    <>
      {t(`sign-in.${step}.text`)}
      {step === 'signin' && <RequestingAppWithoutScript />}
    </>
  )
}
