import { PROBLEMS, type ProblemCode } from '@vrata/contract/problem'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'
import { Picture } from '../../ui/picture.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { DoorPanel } from './door-panel.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { useQueryWords } from './go-on.ts'
import { Notice } from './notice.tsx'
import { SentLink } from './sent-link.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

type Step = 'signin' | 'signup' | 'forgot' | 'sent'

/** Sign-in, sign-up and the forgotten password: one card that turns, and keeps the address that was typed. */
export function LoginPage() {
  const { t } = useI18n()
  const query = useQueryWords()
  const [turned, setTurned] = useState<{ to: Step; email?: string }>()
  const step = turned?.to ?? (query.register ? 'signup' : 'signin')
  const body = useRef<HTMLDivElement>(null)

  /** Without an address, the one that stands in the form now is kept. */
  function turn(to: Step, email = body.current?.querySelector<HTMLInputElement>(ADDRESS)?.value) {
    setTurned({ to, ...(email ? { email } : {}) })
  }

  // The card is another one now: whoever reads it with a screen reader hears its title.
  useEffect(() => {
    if (turned) body.current?.closest('main')?.querySelector('h1')?.focus()
  }, [turned])

  const email = turned?.email ?? query.login_hint
  const address = email?.includes('@') ? email : undefined
  return (
    <PublicCard
      title={t(`auth.${step}.title`)}
      text={step === 'sent' ? t('auth.sent.text', { email: email ?? '' }) : <Purpose step={step} />}
      aside={<DoorPanel />}
    >
      <div ref={body} className="flex flex-col">
        {step === 'signin' && (
          <>
            {!turned && <LastFailure problem={query.problem} />}
            <SignInForm username={email} />
            <Turns>
              <Turn onClick={() => turn('forgot')}>{t('auth.signin.forgot')}</Turn>
              <Question ask={t('auth.signin.new')} answer={t('auth.signin.up')} onClick={() => turn('signup')} />
            </Turns>
          </>
        )}
        {step === 'signup' && (
          <>
            <SignUpForm email={address} onSignIn={(email) => turn('signin', email)} />
            <Turns>
              <Question ask={t('auth.signup.have')} answer={t('auth.signup.in')} onClick={() => turn('signin')} />
            </Turns>
          </>
        )}
        {step === 'forgot' && (
          <ForgotForm email={address} send={t('auth.forgot.do')} onSent={(email) => turn('sent', email)} />
        )}
        {step === 'sent' && <SentLink email={email ?? ''} />}
        {(step === 'forgot' || step === 'sent') && (
          <Turns>
            <Turn onClick={() => turn('signin', email)}>{t('auth.forgot.back')}</Turn>
          </Turns>
        )}
      </div>
    </PublicCard>
  )
}

const ADDRESS = 'input[name=username], input[name=email]'

/** The line below the title. An app that sent the visitor here is named. */
function Purpose({ step }: { step: Exclude<Step, 'sent'> }) {
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

/** What the server said to a form that was sent before the script ran. */
function LastFailure({ problem }: { problem: string | undefined }) {
  const { t } = useI18n()
  if (!problem) return null
  const code = Object.hasOwn(PROBLEMS, problem) ? (problem as ProblemCode) : 'internal'
  return <Notice>{t(`problems.${code}`)}</Notice>
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
