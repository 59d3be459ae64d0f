import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams, useRouter } from '@tanstack/react-router'
import type { UserInfo } from '@vrata/contract/account'
import * as operators from '@vrata/contract/operators'
import { paths, withQuery } from '@vrata/contract/page-addresses'
import { useEffect, useState } from 'react'
import { CallError, callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { loadUser, useSession } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/feedback/error-card.tsx'
import { InvalidLinkCard } from '../../ui/feedback/invalid-link-card.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { MessageText } from '../../ui/form/form.tsx'
import { accountName } from '../../ui/identity/account-card.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'

/** The link that a new installation prints: the first person who opens it becomes its first administrator (operators §1). */
export function SetupPage() {
  const { t } = useI18n()
  const user = useSession()
  const { token = '' } = useParams({ strict: false })
  const link = { ...callQuery(useAppContext(), operators.checkSetupLink, { token }), retry: false }
  const { data, error, refetch } = useQuery({ ...link, enabled: useHydrated() })

  // The page stays when the link is used after this check. The answer to the button then says whether this person or another one has used it.
  if (data) return user ? <Offer token={token} user={user} /> : <AccountFirst token={token} />
  if (error instanceof CallError && error.http === 400)
    return (
      <InvalidLinkCard title={t('operators.setup.invalid')} text={t('operators.setup.invalid_text')}>
        <ButtonLink href={user?.operator_role ? paths.admin : paths.home} wide>
          {t(user?.operator_role ? 'operators.setup.to_admin' : 'ui.home')}
        </ButtonLink>
      </InvalidLinkCard>
    )
  if (error)
    return (
      <ErrorCard
        title={t('operators.failed')}
        text={t('operators.failed_text')}
        onRetry={() => void refetch()}
        code={requestIdOf(error)}
      />
    )
  return (
    <PublicCard title={t('operators.setup.title')}>
      <SkeletonRows rows={3} label={t('operators.setup.loading')} />
    </PublicCard>
  )
}

/** For a visitor who is not signed in: a new installation has no accounts yet. */
function AccountFirst({ token }: { token: string }) {
  const { t } = useI18n()
  const back = paths.setup(token)
  return (
    <PublicCard
      title={t('operators.setup.title')}
      text={`${t('operators.setup.step', { step: 1 })} ${t('operators.setup.account_text')}`}
    >
      <div className="flex flex-col gap-4">
        <ButtonLink look="primary" wide href={paths.signUp(back)}>
          {t('operators.setup.sign_up')}
        </ButtonLink>
        <ButtonLink wide href={paths.login(back)}>
          {t('operators.setup.sign_in')}
        </ButtonLink>
      </div>
    </PublicCard>
  )
}

function Offer({ token, user }: { token: string; user: UserInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { errorMessage } = useFormErrors()
  const { run, busy } = useBusyCall(operators.completeSetup)
  const [failure, setFailure] = useState<string>()
  const before = stepBefore(user, paths.setup(token))

  useEffect(() => {
    if (before) void router.navigate({ href: before, replace: true })
  }, [before, router])

  async function accept() {
    const answer = await run({ token })
    const { operator_role } = (await loadUser(context)) ?? {}
    // An earlier call may have succeeded, and its answer was lost.
    if (!answer.ok && !(answer.problem.code === 'invalid_token' && operator_role))
      return setFailure(errorMessage(answer))
    await router.navigate({ href: paths.adminSetup, replace: true })
  }
  return (
    <PublicCard
      title={t('operators.setup.title')}
      text={`${t('operators.setup.step', { step: 1 })} ${t('operators.setup.text', { name: accountName(user), email: user.email })}`}
    >
      <div className="flex flex-col gap-4">
        {failure && (
          <div role="alert">
            <MessageText>{failure}</MessageText>
          </div>
        )}
        <Button look="primary" busy={busy} onClick={() => void accept()}>
          {t('operators.setup.accept')}
        </Button>
      </div>
    </PublicCard>
  )
}

/** Where the account is completed first, and which then leads back; undefined when nothing is missing. */
function stepBefore(user: UserInfo, back: string): string | undefined {
  if (user.next_step) return paths.finishSignIn(back)
  if (!user.email_verified) return paths.verify(back)
  return user.otp_enabled || user.passkeys > 0 ? undefined : withQuery(paths.protectAccount, { redirect: back })
}
