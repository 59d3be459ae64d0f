import { useHydrated } from '@tanstack/react-router'
import { auth } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/auth'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { part } from '../../lib/part.ts'
import { useWires, type Wires } from '../../lib/wires.tsx'
import { Picture } from '../../ui/picture.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { Shimmer } from '../../ui/skeleton.tsx'
import { DoorPanel } from './door-panel.tsx'
import { useQueryWords } from './go-on.ts'
import { Notice } from './notice.tsx'
import { SignInForm } from './sign-in-form.tsx'

// What most visits never see comes when it is turned to: this page must be light (scripts/check-budget.ts).
const steps = () => import('./login-steps.tsx')
const ChosenAccount = part(steps, 'ChosenAccount')
const ForgotForm = part(steps, 'ForgotForm')
const KnownAccounts = part(steps, 'KnownAccounts')
const LastFailure = part(steps, 'LastFailure')
const SecondStep = part(steps, 'SecondStep')
const SentLink = part(steps, 'SentLink')
const SignUpForm = part(steps, 'SignUpForm')

/** Where the build has rendered another step than the first, its code comes before the page is hydrated. */
export async function primeLogin({ renderedFor }: Wires): Promise<void> {
  if (renderedFor.register) await SignUpForm.preload()
}

type Step = 'signin' | 'signup' | 'forgot' | 'sent' | 'accounts' | 'otp'
type Turned = { to: Step; email?: string; account?: KnownAccount; notice?: string }

/** Every way in: one card that turns, and keeps the address that was typed. */
export function LoginPage() {
  const { t } = useI18n()
  const { i18n } = useWires()
  const query = useQueryWords()
  const [turned, setTurned] = useState<Turned>()
  const step = turned?.to ?? (query.register ? 'signup' : 'signin')
  const body = useRef<HTMLDivElement>(null)
  const known = useKnownAccounts(step === 'signin' && !turned && !query.problem, () => {
    if (!address(body.current)) setTurned({ to: 'accounts' })
  })

  /** Without an address, the one that stands in the form now is kept. */
  function turn(to: Step, more: Omit<Turned, 'to'> = {}) {
    const email = more.email ?? address(body.current)
    setTurned({ to, ...more, ...(email ? { email } : {}) })
  }

  async function askForCode() {
    await Promise.all([i18n.load(['proof']), SecondStep.preload()])
    turn('otp', turned?.account ? { account: turned.account } : {})
  }

  // The card is another one now: whoever reads it with a screen reader hears its title. A code is typed at once.
  useEffect(() => {
    if (turned && turned.to !== 'otp' && !turned.account) body.current?.closest('main')?.querySelector('h1')?.focus()
  }, [turned])

  const email = turned ? turned.email : query.login_hint
  const mail = email?.includes('@') ? email : undefined
  return (
    <PublicCard
      title={t(step === 'otp' ? 'proof.step.title' : `auth.${step}.title`)}
      text={
        step === 'sent' ? (
          t('auth.sent.text', { email: email ?? '' })
        ) : step === 'otp' ? (
          t('proof.step.text')
        ) : (
          <Purpose step={step} />
        )
      }
      aside={<DoorPanel />}
    >
      <div ref={body} className="flex flex-col">
        {step === 'signin' && (
          <>
            {turned?.notice && <Notice>{turned.notice}</Notice>}
            {!turned && query.problem && (
              <Suspense fallback={null}>
                <LastFailure problem={query.problem} />
              </Suspense>
            )}
            <SignInForm
              key={turned?.account?.id ?? query.login_hint}
              username={email}
              account={turned?.account}
              card={
                turned?.account && (
                  <Later>
                    <ChosenAccount account={turned.account} onChange={() => turn('accounts')} />
                  </Later>
                )
              }
              onSecondStep={askForCode}
            />
            <Turns>
              <Turn onClick={() => turn('forgot')}>{t('auth.signin.forgot')}</Turn>
              <Question ask={t('auth.signin.new')} answer={t('auth.signin.up')} onClick={() => turn('signup')} />
            </Turns>
          </>
        )}
        <Later>
          {step === 'accounts' && (
            <KnownAccounts
              accounts={known}
              onChoose={(account) => setTurned({ to: 'signin', account, email: account.username_or_email })}
              onOther={() => setTurned({ to: 'signin' })}
            />
          )}
          {step === 'otp' && <SecondStep onExpired={(notice) => turn('signin', { notice })} />}
          {step === 'signup' && <SignUpForm key={mail} email={mail} onSignIn={(email) => turn('signin', { email })} />}
          {step === 'forgot' && (
            <ForgotForm email={mail} send={t('auth.forgot.do')} onSent={(email) => turn('sent', { email })} />
          )}
          {step === 'sent' && <SentLink email={email ?? ''} />}
        </Later>
        {step === 'signup' && (
          <Turns>
            <Question ask={t('auth.signup.have')} answer={t('auth.signup.in')} onClick={() => turn('signin')} />
          </Turns>
        )}
        {(step === 'forgot' || step === 'sent' || step === 'otp') && (
          <Turns>
            <Turn onClick={() => turn('signin', email ? { email } : {})}>{t('auth.forgot.back')}</Turn>
          </Turns>
        )}
      </div>
    </PublicCard>
  )
}

const ADDRESS = 'input[name=username], input[name=email]'

function address(body: HTMLElement | null): string | undefined {
  return body?.querySelector<HTMLInputElement>(ADDRESS)?.value
}

/** Asks once which accounts this browser knows, and tells when there are some. */
function useKnownAccounts(wanted: boolean, onFound: () => void): readonly KnownAccount[] {
  const { api } = useWires()
  const hydrated = useHydrated()
  const [known, setKnown] = useState<readonly KnownAccount[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit, as soon as the address is known
  useEffect(() => {
    if (!hydrated || !wanted) return
    void api(auth.listKnownAccounts).then((answer) => {
      if (!answer.ok || !answer.data.length) return
      setKnown(answer.data)
      onFound()
    })
  }, [hydrated])
  return known
}

/** Light in the place of a step that is still on its way. */
function Later({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  return (
    <Suspense
      fallback={
        <div role="status" aria-label={t('auth.loading')} className="flex flex-col gap-5">
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

/** The line below the title. An app that sent the visitor here is named. */
function Purpose({ step }: { step: Exclude<Step, 'sent' | 'otp'> }) {
  const { t, rich } = useI18n()
  const { continueTo } = useWires()
  const { redirect } = useQueryWords()
  const app = redirect && step !== 'forgot' ? continueTo : undefined
  if (!app) return t(`auth.${step}.text`)
  return (
    <span className="flex items-center gap-2">
      <Picture kind="app" url={app.icon} name={app.name} size={24} />
      <span className="min-w-0">
        {rich('auth.signin.to_app', { app: <b className="font-semibold text-ink">{app.name}</b> })}
      </span>
    </span>
  )
}

function Turns({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6">{children}</div>
}

function Question({ ask, answer, onClick }: { ask: string; answer: string; onClick: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted">
      {ask} <Turn onClick={onClick}>{answer}</Turn>
    </p>
  )
}

function Turn({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-11 rounded-row font-semibold text-brand hover:text-brand-strong hover:underline"
    >
      {children}
    </button>
  )
}
