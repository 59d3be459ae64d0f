import { useRouter } from '@tanstack/react-router'
import { auth } from '@vrata/contract'
import type { Activity } from '@vrata/contract/activity'
import { type ReactNode, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { serverTime } from '../../lib/time.ts'
import { useCall } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toast.ts'
import { deviceOf } from './device.ts'
import type { Entry } from './timeline.ts'
import { useSentence } from './words.ts'

/** How many moments of a folded line are listed. */
const LISTED = 10

/** All that is known about one line, and the way out for whoever did not do it. */
export function EntrySheet({ entry, open, onClose }: { entry?: Entry; open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const sentence = useSentence()
  if (!entry) return null
  return (
    <Sheet title={sentence(entry)} open={open} onClose={onClose}>
      <Facts entry={entry} />
      {entry.newest.app && (
        <p className="mt-4">
          <TextLink href={paths.connectedApps}>{t('privacy.activity.apps')}</TextLink>
        </p>
      )}
      <NotMe activity={entry.newest} onClose={onClose} />
    </Sheet>
  )
}

function Facts({ entry: { newest, all } }: { entry: Entry }) {
  const { t, format } = useI18n()
  const moments = all.slice(0, LISTED).map(({ id, created_at }) => (
    <time key={id} dateTime={created_at} className="block">
      {format.moment(serverTime(created_at))}
    </time>
  ))
  const facts: [string, ReactNode][] = [
    [t('privacy.fact.when'), moments],
    [t('privacy.fact.device'), deviceOf({ ...newest, location: null }) || t('privacy.device.unknown')],
    [t('privacy.fact.place'), newest.location],
    [t('privacy.fact.ip'), newest.ip],
    [t('privacy.fact.app'), newest.app?.name],
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
            <div key={name} className="flex gap-4 py-2.5">
              <dt className="w-28 shrink-0 text-muted">{name}</dt>
              <dd className="min-w-0 grow">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Ends the session in which it was done, and leads to a new password: whoever was there may know the old one. */
function NotMe({ activity: { session, session_id }, onClose }: { activity: Activity; onClose: () => void }) {
  const { t } = useI18n()
  const router = useRouter()
  const { queries } = useWires()
  const { sentence } = useRefusal()
  const { run, busy } = useCall(auth.logoutSession)
  const [message, setMessage] = useState<string>()
  const ends = session === 'open' && session_id !== null

  async function object() {
    setMessage(undefined)
    if (ends) {
      const answer = await run({ id: session_id })
      // A session that is gone already is what was wanted.
      if (!answer.ok && answer.problem.code !== 'not_found') return setMessage(sentence(answer))
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'account' })
      toast(t('privacy.not_me.ended'))
    }
    onClose()
    await router.navigate({ href: paths.changePassword })
  }

  return (
    <div className="mt-5">
      <p className="text-muted">{t(ends ? 'privacy.not_me.text' : 'privacy.not_me.text_only_password')}</p>
      {message && (
        <p role="alert" className="mt-3 flex gap-1.5 font-medium text-danger">
          <AlertIcon size={18} className="mt-0.5" />
          {message}
        </p>
      )}
      <div className="mt-4 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t('ui.close')}</Button>
        <Button busy={busy} onClick={() => void object()}>
          {t('privacy.not_me')}
        </Button>
      </div>
    </div>
  )
}
