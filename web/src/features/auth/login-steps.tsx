import type { KnownAccount } from '@vrata/contract/auth'
import { PROBLEMS, type ProblemCode } from '@vrata/contract/problem'
import { useI18n } from '../../lib/i18n.tsx'
import { AccountCard } from '../../ui/account-card.tsx'
import { Button } from '../../ui/button.tsx'
import { cardOf } from './known-accounts.tsx'
import { Notice } from './notice.tsx'

/** The steps of the login page that are not its first; one file, so that turning the card fetches once. */
export { ForgotForm } from './forgot-form.tsx'
export { KnownAccounts } from './known-accounts.tsx'
export { SecondStep } from './second-step.tsx'
export { SentLink } from './sent-link.tsx'
export { SignUpForm } from './sign-up-form.tsx'

/** Whose password is asked for, and the way to somebody else's. */
export function ChosenAccount({ account, onChange }: { account: KnownAccount; onChange: () => void }) {
  const { t } = useI18n()
  return (
    <AccountCard
      account={cardOf(account)}
      end={
        <Button look="ghost" size="small" onClick={onChange}>
          {t('auth.accounts.change')}
        </Button>
      }
    />
  )
}

/** What the server said to a form that was sent before the script ran. */
export function LastFailure({ problem }: { problem: string }) {
  const { t } = useI18n()
  const code = Object.hasOwn(PROBLEMS, problem) ? (problem as ProblemCode) : 'internal'
  return <Notice>{t(`problems.${code}`)}</Notice>
}
