import type { SessionInfo } from '@vrata/contract/auth'
import { useI18n } from '../../lib/i18n.tsx'
import { shownTime } from '../../lib/time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ChevronDownIcon, PhoneIcon } from '../../ui/icons.tsx'
import { LaptopIcon } from '../../ui/inner-icons.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { type Device, endable } from './devices.ts'
import { DoYouKnow } from './do-you-know.tsx'
import { useEnding } from './use-ending.ts'

type Props = { device: Device; onFailed: (sentence: string) => void }

/** One device; its sign-ins open in place, and a press ends them all. */
export function DeviceCard({ device, onFailed }: Props) {
  const { t } = useI18n()
  const name = useDeviceName(device)
  const ended = endable(device)
  const { end, busy } = useEnding(() => toast(t('security.devices.out_done', { device: name })), onFailed)
  const Sign = device.os === 'Android' || device.os === 'iOS' ? PhoneIcon : LaptopIcon
  return (
    <li className="flex items-start gap-3 px-5 py-3 sm:gap-4 sm:px-6">
      <span
        className={classes(
          'mt-1 flex size-10 shrink-0 items-center justify-center rounded-full',
          device.current
            ? 'bg-brand text-on-brand'
            : device.unknown
              ? 'bg-lamp text-[#2b1a00]'
              : 'bg-sunken text-muted',
        )}
      >
        <Sign />
      </span>
      <div className="min-w-0 grow">
        <details className="group">
          <summary className="flex min-h-12 list-none items-center gap-3 rounded-row [&::-webkit-details-marker]:hidden">
            <span className="min-w-0 grow">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                {name}
                {device.current && <Badge look="on">{t('security.devices.this')}</Badge>}
                {device.unknown && <Badge look="lamp">{t('security.devices.new')}</Badge>}
              </span>
              <Seen session={device.sessions[0]} count={device.sessions.length} />
            </span>
            <ChevronDownIcon
              size={18}
              className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <AppsOf device={device} />
          <ul className="mt-2 mb-1 divide-y divide-line border-t border-line">
            {device.sessions.map((session) => (
              <SignIn key={session.id} session={session} alone={device.sessions.length === 1} onFailed={onFailed} />
            ))}
          </ul>
        </details>
        {device.unknown && <DoYouKnow device={device} name={name} onFailed={onFailed} />}
      </div>
      {!device.current && !device.unknown && (
        <Button size="small" busy={busy} className="mt-0.5 shrink-0" onClick={() => void end(ended)}>
          <span aria-hidden="true">{t('security.devices.out')}</span>
          <span className="sr-only">{t('security.devices.out_of', { device: name })}</span>
        </Button>
      )}
    </li>
  )
}

function useDeviceName({ browser, os }: Pick<Device, 'browser' | 'os'>): string {
  const { t } = useI18n()
  return browser && os ? t('security.devices.name', { browser, os }) : (browser ?? os ?? t('security.devices.unknown'))
}

/** Apps that were signed in to from here; signing the device out ends them there. */
function AppsOf({ device: { sessions } }: { device: Device }) {
  const { t } = useI18n()
  const apps = new Map(sessions.flatMap((session) => session.apps).map((app) => [app.client_id, app]))
  if (apps.size === 0) return null
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-2" aria-label={t('security.devices.apps')}>
      {[...apps.values()].map((app) => (
        <li key={app.client_id} className="flex min-w-0 items-center gap-2 text-small">
          <Picture kind="app" url={app.icon} name={app.name} size={24} />
          <span className="min-w-0 truncate">{app.name}</span>
        </li>
      ))}
    </ul>
  )
}

/** Place, last use, and how many sign-ins stand behind the device. */
function Seen({ session, count }: { session: SessionInfo | undefined; count: number }) {
  const { t, format } = useI18n()
  if (!session) return null
  const { words } = shownTime(session.last_seen, format)
  const seen = session.current ? t('security.devices.here') : t('security.devices.seen', { when: words })
  const times = count > 1 ? t('security.devices.times', { count }) : null
  return (
    <span className="block text-small text-muted">
      {[seen, session.location, session.app, times].filter(Boolean).join(' · ')}
    </span>
  )
}

/** One sign-in of a device: when, where from, by what. */
function SignIn({ session, alone, onFailed }: { session: SessionInfo; alone: boolean; onFailed: Props['onFailed'] }) {
  const { t, format } = useI18n()
  const since = shownTime(session.created_at, format)
  const name = useDeviceName(session)
  const { end, busy } = useEnding(() => toast(t('security.devices.out_done', { device: name })), onFailed)
  const methods = session.methods.map((method) => t(`security.method.${method}`))
  const facts = [
    methods.length ? t('security.devices.how', { methods: format.list(methods) }) : null,
    session.location,
    t('security.devices.ip', { ip: session.ip }),
  ]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-small text-muted">
      <span className="min-w-0 grow basis-40">
        <span className="block text-ink">
          <Time
            at={session.created_at}
            words={t('security.devices.since', { when: since.exact })}
            exact={since.exact}
          />
          {!alone && session.current && ` · ${t('security.devices.here')}`}
        </span>
        <span className="block break-words">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      {!alone && !session.current && (
        <Button size="small" busy={busy} onClick={() => void end([session])}>
          <span aria-hidden="true">{t('security.devices.out')}</span>
          <span className="sr-only">{t('security.devices.out_one', { when: since.exact })}</span>
        </Button>
      )}
    </li>
  )
}
