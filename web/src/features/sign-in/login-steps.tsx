import type { KnownAccount } from '@vrata/contract/sign-in'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { AccountCard } from '../../ui/identity/account-card.tsx'
import { KnownAccounts, toCardAccount } from './known-accounts.tsx'
import { Notice } from './notice.tsx'
import { ForgotPasswordForm } from './password/forgot-password-form.tsx'
import { PasswordLinkSent } from './password/password-link-sent.tsx'
import { SecondStep } from './second-step.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { StepLink, StepLinks, StepPrompt } from './step-links.tsx'
import type { Step, StepAddress, StepState } from './use-step.ts'

type Props = {
  step: Exclude<Step, 'signin'>
  email: string | undefined
  known: readonly KnownAccount[]
  setKnown: (known: readonly KnownAccount[]) => void
  hrefOf: (step: Step) => string
  goTo: (step: Step, state?: StepState, address?: StepAddress) => void
}

/** The steps of the login page other than the first, in one chunk. */
export function OtherStep({ step, email, known, setKnown, hrefOf, goTo }: Props) {
  const { t } = useI18n()
  const mail = email?.includes('@') ? email : undefined
  if (step === 'accounts')
    return (
      <KnownAccounts
        accounts={known}
        setAccounts={setKnown}
        onChoose={(account) => goTo('signin', { account, email: account.username_or_email })}
        onOther={() => goTo('signin', {})}
      />
    )
  return (
    <>
      {step === 'otp' && <SecondStep onEnded={(notice) => goTo('signin', { notice }, { replace: true })} />}
      {step === 'signup' && <SignUpForm email={mail} onSignIn={(email) => goTo('signin', { email })} />}
      {step === 'forgot' && (
        <ForgotPasswordForm email={mail} send={t('sign-in.forgot.do')} onSent={(email) => goTo('sent', { email })} />
      )}
      {step === 'sent' && email && <PasswordLinkSent email={email} />}
      <StepLinks>
        <StepPrompt ask={step === 'signup' && t('sign-in.signup.have')}>
          <StepLink to="signin" href={hrefOf('signin')} onClick={() => goTo('signin', {})}>
            {t(step === 'signup' ? 'sign-in.signup.in' : 'sign-in.forgot.back')}
          </StepLink>
        </StepPrompt>
      </StepLinks>
    </>
  )
}

/** The chosen account with a button to change it. */
export function ChosenAccount({ account, onChange }: { account: KnownAccount; onChange: () => void }) {
  const { t } = useI18n()
  return (
    <AccountCard
      account={toCardAccount(account)}
      end={
        <Button look="ghost" size="small" onClick={onChange}>
          {t('sign-in.accounts.change')}
        </Button>
      }
    />
  )
}

/** Problem of a form that was posted before the script ran. */
export function LastFailure({ problem }: { problem: string }) {
  const { t, find } = useI18n()
  return (
    <Notice>{find(`problems.${problem}`) ?? find(`conflicts.problem.${problem}`) ?? t('problems.internal')}</Notice>
  )
}
