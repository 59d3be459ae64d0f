import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { signIn } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import type { QrRequester } from '@vrata/contract/sign-in'
import { useState } from 'react'
import { CallError, callQuery } from '../../../lib/api/call-query.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { formatTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/content/facts.tsx'
import { ErrorCard } from '../../../ui/feedback/error-card.tsx'
import { Shimmer } from '../../../ui/feedback/skeleton.tsx'
import { CodeField } from '../../../ui/form/code-field.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'

/** Approval page of QR sign-in (design §7.6). Deny is as prominent as approve. */
export function QrCodePage() {
  const { t, find } = useI18n()
  const context = useAppContext()
  const { code = '' } = useParams({ strict: false })
  const [answered, setAnswered] = useState<'approved' | 'denied' | 'gone'>()
  const asked = { ...callQuery(context, signIn.getQrCode, { code }), staleTime: Number.POSITIVE_INFINITY }
  const { data, error, refetch } = useQuery(asked)

  if (answered) return <Result is={answered} />
  if (error) {
    const failed = error instanceof CallError ? error : undefined
    if (failed?.problem.code === 'qr_sign_in_off') return <Result is="off" />
    if (failed?.problem.code === 'not_found') return <Result is="gone" />
    return (
      <ErrorCard
        title={t('qr-sign-in.ask.failed')}
        text={
          failed?.http === 0 ? t('ui.no_answer') : (find(`problems.${failed?.problem.code}`) ?? t('problems.internal'))
        }
        onRetry={() => void refetch()}
        code={failed?.problem.request_id}
      />
    )
  }
  if (!data) {
    return (
      <PublicCard title={t('qr-sign-in.ask.title')}>
        <div role="status" aria-label={t('qr-sign-in.ask.loading')} className="flex flex-col gap-4">
          <Shimmer className="h-24" />
          <Shimmer className="h-14" />
        </div>
      </PublicCard>
    )
  }
  if (!data.requester) return <Result is="own" />
  if (data.state === 'expired') return <Result is="gone" />
  if (data.state === 'approved' || data.state === 'denied') return <Result is={data.state} />
  return (
    <ApprovalForm code={code} requester={data.requester} created_at={data.created_at ?? ''} onAnswered={setAnswered} />
  )
}

type ApprovalFormProps = {
  code: string
  requester: QrRequester
  created_at: string
  onAnswered(answer: 'approved' | 'denied' | 'gone'): void
}

function ApprovalForm({ code, requester, created_at, onAnswered }: ApprovalFormProps) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { email } = useUser()
  const { formErrors, errorMessage } = useFormErrors()
  const queries = useQueryClient()
  const [denying, setDenying] = useState(false)
  const [failed, setFailed] = useState<string>()

  /** The code has an answer, or has expired. It may be the answer of this page, of which nothing has arrived. */
  async function end() {
    const asked = await api(signIn.getQrCode, { code })
    const state = asked.ok ? asked.data.state : undefined
    onAnswered(state === 'approved' || state === 'denied' ? state : 'gone')
  }

  async function approve({ match = '' }: Record<string, string>) {
    setFailed(undefined)
    const answer = await api(signIn.answerQrCode, { code, approve: true, match })
    if (answer.ok) return void onAnswered('approved')
    if (answer.problem.code === 'expired_code') return void (await end())
    return formErrors(answer, { wrong_match: 'match' })
  }

  async function deny() {
    setDenying(true)
    setFailed(undefined)
    const answer = await api(signIn.answerQrCode, { code, approve: false })
    setDenying(false)
    if (answer.ok) onAnswered('denied')
    else if (answer.problem.code === 'expired_code') await end()
    else setFailed(errorMessage(answer))
    await queries.invalidateQueries({ queryKey: [signIn.getQrCode.path], refetchType: 'none' })
  }

  return (
    <PublicCard title={t('qr-sign-in.ask.title')} text={t('qr-sign-in.ask.text', { email })}>
      <Requester requester={requester} created_at={created_at} />
      <p className="mt-5 mb-6 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('qr-sign-in.ask.warning')}</span>
      </p>
      <div role="alert" className="empty:hidden">
        {failed && <p className="mb-4 font-medium text-danger">{failed}</p>}
      </div>
      <Form onSubmit={approve}>
        <CodeField
          name="match"
          label={t('qr-sign-in.ask.match')}
          hint={t('qr-sign-in.ask.match_hint')}
          invalid={t('qr-sign-in.ask.match_invalid')}
          digits={2}
          autoComplete="off"
        />
        <div className="flex flex-col gap-3 sm:flex-row-reverse sm:*:flex-1">
          <Submit wide>{t('qr-sign-in.ask.approve')}</Submit>
          <Button wide busy={denying} onClick={() => void deny()}>
            {t('qr-sign-in.ask.deny')}
          </Button>
        </div>
      </Form>
    </PublicCard>
  )
}

function Requester({
  requester: { browser, os, location, ip },
  created_at,
}: Pick<ApprovalFormProps, 'requester' | 'created_at'>) {
  const { t, format } = useI18n()
  const asked = formatTime(created_at, format)
  const facts = [
    [t('qr-sign-in.ask.device'), [browser, os].filter(Boolean).join(', ') || t('qr-sign-in.ask.unknown')],
    [t('qr-sign-in.ask.place'), location],
    [t('qr-sign-in.ask.address'), ip],
    [t('qr-sign-in.ask.when'), asked.words],
  ] as const
  return <Facts facts={facts} className="text-lead" />
}

const NEXT_PAGES = {
  approved: ['qr-sign-in.approved.devices', paths.devices],
  denied: ['qr-sign-in.denied.password', paths.securityPassword],
  gone: ['qr-sign-in.home', paths.home],
  off: ['qr-sign-in.off.do', paths.security],
  own: ['qr-sign-in.home', paths.home],
} as const

/** Result with a link to the next page. */
function Result({ is }: { is: keyof typeof NEXT_PAGES }) {
  const { t } = useI18n()
  const [label, href] = NEXT_PAGES[is]
  return (
    <PublicCard title={t(`qr-sign-in.${is}.title`)} text={t(`qr-sign-in.${is}.text`)}>
      <ButtonLink look="primary" wide href={href}>
        {t(label)}
      </ButtonLink>
    </PublicCard>
  )
}
