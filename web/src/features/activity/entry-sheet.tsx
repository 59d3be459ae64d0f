import { useRouter } from '@tanstack/react-router'
import { sessions } from '@vrata/contract'
import type { Activity } from '@vrata/contract/activity'
import { paths } from '@vrata/contract/page-addresses'
import type { ReactNode } from 'react'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { useFailureMessage } from '../../lib/api/use-failure-message.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { deviceText } from './device-text.ts'
import type { Entry } from './timeline.ts'
import { useActivityText } from './use-activity-text.ts'

/** Maximum number of times listed for a grouped entry. */
const LISTED = 10

/** Details of one entry with the action "Not me". */
export function EntrySheet({ entry, open, onClose }: { entry?: Entry; open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const sentence = useActivityText()
  if (!entry) return null
  const { type, app } = entry.newest
  const byService = type === 'SERVICE_USED_ACCESS'
  return (
    <Sheet title={sentence(entry)} open={open} onClose={onClose}>
      <Facts entry={entry} />
      {byService && app && <p className="mt-5 text-muted">{t('privacy.activity.service_text', { app: app.name })}</p>}
      {app && (
        <p className="mt-4">
          <TextLink href={paths.connectedApps}>{t('privacy.activity.apps')}</TextLink>
        </p>
      )}
      {byService ? (
        <div className="mt-5 flex flex-col sm:items-end">
          <Button onClick={onClose}>{t('ui.close')}</Button>
        </div>
      ) : (
        <NotMe activity={entry.newest} onClose={onClose} />
      )}
    </Sheet>
  )
}

function Facts({ entry: { newest, all } }: { entry: Entry }) {
  const { t, format } = useI18n()
  const moments = all.slice(0, LISTED).map(({ id, created_at }) => (
    <time key={id} dateTime={created_at} className="block">
      {format.dateTime(parseServerTime(created_at))}
    </time>
  ))
  const device = deviceText({ ...newest, location: null })
  const facts: [string, ReactNode][] = [
    [t('privacy.fact.when'), moments],
    [t('privacy.fact.device'), newest.type !== 'SERVICE_USED_ACCESS' && (device || t('privacy.device.unknown'))],
    [t('privacy.fact.place'), newest.location],
    [t('privacy.fact.ip'), newest.ip],
    [t('privacy.fact.app'), newest.app?.name],
    [t('privacy.fact.service'), newest.acting_app?.name],
    [t('privacy.fact.message'), newest.binding_message],
    [
      t('privacy.fact.scopes'),
      newest.scopes?.map((scope) => (
        <span key={scope} className="block">
          {newest.scope_titles?.[scope] ?? <code className="font-mono text-small">{scope}</code>}
        </span>
      )),
    ],
    [t('privacy.fact.session'), newest.session && t(`privacy.session.${newest.session}`)],
  ]
  return (
    <dl className="mt-5 divide-y divide-line border-y border-line">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex flex-wrap gap-x-4 py-2.5">
              <dt className="w-28 shrink-0 text-muted">{name}</dt>
              <dd className="min-w-0 grow basis-32">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Ends the session of the entry and leads to a new password, because the other person may know the old one. */
function NotMe({ activity: { session, session_id }, onClose }: { activity: Activity; onClose: () => void }) {
  const { t } = useI18n()
  const router = useRouter()
  const { queries } = useAppContext()
  const { run, busy } = useBusyCall(sessions.logoutSession)
  const { message, place, fail, clear } = useFailureMessage<HTMLDivElement>()
  const ends = session === 'open' && session_id !== null

  async function reportActivity() {
    clear()
    if (ends) {
      const answer = await run({ id: session_id })
      // A session that no longer exists counts as ended.
      if (!answer.ok && answer.problem.code !== 'not_found') return fail(t('privacy.not_me'), answer)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'account' })
      toast(t('privacy.not_me.ended'))
    }
    onClose()
    await router.navigate({ href: paths.changePassword })
  }

  return (
    <div ref={place} className="mt-5">
      <p className="text-muted">{t(ends ? 'privacy.not_me.text' : 'privacy.not_me.text_only_password')}</p>
      {message && (
        <p role="alert" className="mt-3 flex gap-1.5 font-medium text-danger">
          <AlertIcon size={18} className="mt-0.5" />
          {message}
        </p>
      )}
      <div className="mt-4 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t('ui.close')}</Button>
        <Button busy={busy} onClick={() => void reportActivity()}>
          {t('privacy.not_me')}
        </Button>
      </div>
    </div>
  )
}
