import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { qr } from '@vrata/contract'
import type { QrRequester } from '@vrata/contract/qr'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useUser } from '../../lib/session.ts'
import { shownTime } from '../../lib/time.ts'
import { CallFailed, callQuery } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-field.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { Shimmer } from '../../ui/skeleton.tsx'

/** What the phone asks once it has scanned a code (design.md §7). Saying no is as near as saying yes. */
export function QrCodePage() {
  const { t } = useI18n()
  const wires = useWires()
  const { code = '' } = useParams({ strict: false })
  const [answered, setAnswered] = useState<'approved' | 'denied' | 'gone'>()
  const asked = { ...callQuery(wires, qr.readQrCode, { code }), gcTime: 0, staleTime: Number.POSITIVE_INFINITY }
  const { data, error, refetch } = useQuery(asked)

  if (answered) return <End is={answered} />
  if (error) {
    const failed = error instanceof CallFailed ? error : undefined
    if (failed?.problem.code === 'qr_sign_in_off') return <End is="off" />
    if (failed?.problem.code === 'not_found') return <End is="gone" />
    return (
      <ErrorState
        heading="h1"
        title={t('qr.ask.failed')}
        text={t(failed?.http === 0 ? 'ui.no_answer' : `problems.${failed?.problem.code ?? 'internal'}`)}
        onRetry={() => void refetch()}
        code={failed?.problem.request_id}
      />
    )
  }
  if (!data) {
    return (
      <PublicCard title={t('qr.ask.title')}>
        <div role="status" aria-label={t('qr.ask.loading')} className="flex flex-col gap-4">
          <Shimmer className="h-24" />
          <Shimmer className="h-14" />
        </div>
      </PublicCard>
    )
  }
  if (!data.requester) return <End is="own" />
  if (data.state === 'expired') return <End is="gone" />
  if (data.state === 'approved' || data.state === 'denied') return <End is={data.state} />
  return <Asked code={code} requester={data.requester} created_at={data.created_at ?? ''} onAnswered={setAnswered} />
}

type AskedProps = {
  code: string
  requester: QrRequester
  created_at: string
  onAnswered(answer: 'approved' | 'denied' | 'gone'): void
}

function Asked({ code, requester, created_at, onAnswered }: AskedProps) {
  const { t } = useI18n()
  const { api } = useWires()
  const { email } = useUser()
  const { refusal, sentence } = useRefusal()
  const queries = useQueryClient()
  const [denying, setDenying] = useState(false)
  const [failed, setFailed] = useState<string>()

  async function approve({ match = '' }: Record<string, string>) {
    const answer = await api(qr.answerQrCode, { code, approve: true, match })
    if (answer.ok) return void onAnswered('approved')
    if (answer.problem.code === 'expired_code') return void onAnswered('gone')
    return refusal(answer, { wrong_match: 'match' })
  }

  async function deny() {
    setDenying(true)
    const answer = await api(qr.answerQrCode, { code, approve: false })
    setDenying(false)
    if (answer.ok) onAnswered('denied')
    else if (answer.problem.code === 'expired_code') onAnswered('gone')
    else setFailed(sentence(answer))
    await queries.invalidateQueries({ queryKey: [qr.readQrCode.path], refetchType: 'none' })
  }

  return (
    <PublicCard title={t('qr.ask.title')} text={t('qr.ask.text', { email })}>
      <Requester requester={requester} created_at={created_at} />
      <p className="mt-5 mb-6 flex gap-3 rounded-control bg-lamp-soft px-4 py-3 text-on-lamp">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('qr.ask.warning')}</span>
      </p>
      <div role="alert" className="empty:hidden">
        {failed && <p className="mb-4 font-medium text-danger">{failed}</p>}
      </div>
      <Form onSubmit={approve}>
        <CodeField
          name="match"
          label={t('qr.ask.match')}
          hint={t('qr.ask.match_hint')}
          invalid={t('qr.ask.match_invalid')}
          digits={2}
          autoComplete="off"
        />
        <div className="flex flex-col gap-3 sm:flex-row-reverse sm:*:flex-1">
          <Submit wide>{t('qr.ask.approve')}</Submit>
          <Button wide busy={denying} onClick={() => void deny()}>
            {t('qr.ask.deny')}
          </Button>
        </div>
      </Form>
    </PublicCard>
  )
}

function Requester({
  requester: { browser, os, location, ip },
  created_at,
}: Pick<AskedProps, 'requester' | 'created_at'>) {
  const { t, format } = useI18n()
  const asked = shownTime(created_at, format)
  const facts = [
    [t('qr.ask.device'), [browser, os].filter(Boolean).join(', ') || t('qr.ask.unknown')],
    [t('qr.ask.place'), location],
    [t('qr.ask.address'), ip],
    [t('qr.ask.when'), asked.words],
  ] as const
  return (
    <dl className="divide-y divide-line border-y border-line text-lead">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex gap-4 py-2.5">
              <dt className="w-28 shrink-0 text-muted">{name}</dt>
              <dd className="min-w-0 grow font-medium break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const WAYS_ON = {
  approved: ['qr.approved.devices', paths.devices],
  denied: ['qr.denied.password', paths.securityPassword],
  gone: ['qr.home', paths.home],
  off: ['qr.off.do', paths.twoFactor],
  own: ['qr.home', paths.home],
} as const

/** One sentence and a way on. */
function End({ is }: { is: keyof typeof WAYS_ON }) {
  const { t } = useI18n()
  const [label, href] = WAYS_ON[is]
  return (
    <PublicCard title={t(`qr.${is}.title`)} text={t(`qr.${is}.text`)}>
      <ButtonLink look="primary" wide href={href}>
        {t(label)}
      </ButtonLink>
    </PublicCard>
  )
}
