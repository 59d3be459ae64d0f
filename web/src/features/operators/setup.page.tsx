import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams, useRouter } from '@tanstack/react-router'
import * as operators from '@vrata/contract/operators'
import { paths } from '@vrata/contract/page-addresses'
import { useEffect, useState } from 'react'
import { CallError, callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { loadUser, useUser } from '../../lib/session.ts'
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
  const { operator_role } = useUser()
  const { token = '' } = useParams({ strict: false })
  const link = { ...callQuery(useAppContext(), operators.checkSetupLink, { token }), retry: false }
  const { data, error, refetch } = useQuery({ ...link, enabled: useHydrated() })

  // The page stays when the link is used after this check. The answer to the button then says whether this person or another one has used it.
  if (data) return <Offer token={token} />
  if (error instanceof CallError && error.http === 400)
    return (
      <InvalidLinkCard title={t('operators.setup.invalid')} text={t('operators.setup.invalid_text')}>
        <ButtonLink href={operator_role ? paths.admin : paths.home} wide>
          {t(operator_role ? 'operators.setup.to_admin' : 'ui.home')}
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

function Offer({ token }: { token: string }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const user = useUser()
  const { errorMessage } = useFormErrors()
  const { run, busy } = useBusyCall(operators.completeSetup)
  const [failure, setFailure] = useState<string>()
  const isProtected = user.otp_enabled || user.passkeys > 0

  useEffect(() => {
    const href = `${paths.protectAccount}?redirect=${encodeURIComponent(paths.setup(token))}`
    if (!isProtected) void router.navigate({ href, replace: true })
  }, [isProtected, router, token])

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
