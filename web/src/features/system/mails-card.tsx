import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { hasRole } from '@vrata/contract/operator-roles'
import type { MailInfo } from '@vrata/contract/system'
import * as system from '@vrata/contract/system'
import { dataOrThrow } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { type AppContext, useAppContext } from '../../lib/app-context.tsx'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { outcomeOfMail } from '../../lib/outcome-of-mail.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { CardBody } from '../../ui/layout/card.tsx'
import { Row } from '../../ui/layout/row.tsx'
import { ListCard } from './list-card.tsx'

const mailPages = ({ api }: Pick<AppContext, 'api'>) =>
  infiniteQueryOptions({
    queryKey: [system.listMails.path],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(system.listMails, { ...(cursor && { cursor }) })
      return { mails: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Waiting and failed mails, and a test mail. */
export function MailsCard() {
  const { t } = useI18n()
  const context = useAppContext()
  const { operator_role, email } = useUser()
  const { formErrors } = useFormErrors()
  const list = useInfiniteQuery(mailPages(context))
  const { data, error, refetch } = list
  const renew = () => context.queries.invalidateQueries({ queryKey: [system.listMails.path] })

  const test = () =>
    showDialog({
      title: t('system.mails.test'),
      message: t('system.mails.test.text', { email }),
      buttons: [{ label: t('ui.cancel') }, { label: t('system.mails.test') }],
      async onSubmit() {
        const answer = await context.api(system.sendTestMail, {})
        if (!answer.ok) return formErrors(answer)
        const { outcome, error } = await outcomeOfMail(context, answer.data)
        await renew()
        toast(t(`system.mails.test.${outcome}`, { error }))
      },
    })

  const retry = ({ id, to }: MailInfo) =>
    showDialog({
      title: t('system.mails.retry'),
      message: t('system.mails.retry.text', { to: to ?? '' }),
      buttons: [{ label: t('ui.cancel') }, { label: t('system.mails.retry') }],
      async onSubmit() {
        const answer = await context.api(system.retryMail, { id })
        await renew()
        if (!answer.ok) return formErrors(answer)
        toast(t('system.mails.retry.done'))
      },
    })

  const mayRetry = hasRole(operator_role, 'support')
  const rows = data?.pages
    .flatMap(({ mails }) => mails)
    .map((mail) => (
      <MailRow
        key={mail.id}
        mail={mail}
        onRetry={mayRetry && mail.subject !== null ? () => void retry(mail) : undefined}
      />
    ))
  return (
    <ListCard
      title={t('system.mails')}
      text={t('system.mails.text')}
      action={operator_role === 'admin' && <Button onClick={() => void test()}>{t('system.mails.test')}</Button>}
      rows={rows}
      failed={error !== null}
      onRetry={() => void refetch()}
      none={t('system.mails.none')}
    >
      {list.hasNextPage && (
        <CardBody>
          <MoreButton list={list} />
        </CardBody>
      )}
    </ListCard>
  )
}

function MailRow({ mail, onRetry }: { mail: MailInfo; onRetry: (() => void) | undefined }) {
  const { t, format } = useI18n()
  const { state, subject, to, attempts, error, created_at } = mail
  const facts = [
    t(state === 'failed' ? 'system.mails.state.failed' : 'system.mails.state.waiting'),
    to,
    attempts > 0 && t('system.mails.attempts', { count: attempts }),
    error,
  ]
  return (
    <Row
      label={subject ?? t('system.mails.content_gone')}
      text={facts.filter(Boolean).join(' · ')}
      value={<Time at={created_at} {...formatTime(created_at, format)} />}
      {...(onRetry ? { onClick: onRetry } : {})}
    />
  )
}
