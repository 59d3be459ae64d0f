import type { SessionInfo } from '@vrata/contract/sessions'
import { isolated } from '@vrata/phrases/message'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Time } from '../../ui/content/time.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { ChevronDownIcon } from '../../ui/icons/icons.tsx'
import { EditIcon, LaptopIcon, PhoneIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { useBrowserName, useRenameDevice } from './device-names.ts'
import { type Device, endableSessions } from './devices.ts'
import { UnknownDevicePrompt } from './unknown-device-prompt.tsx'
import { useEndSessions } from './use-end-sessions.ts'

type Props = { device: Device; onFailed: (sentence: string | undefined) => void }

/** A device with its sessions. */
export function DeviceCard({ device, onFailed }: Props) {
  const { t } = useI18n()
  const browser = useBrowserName()(device)
  const name = device.device_name ?? browser
  const rename = useRenameDevice()
  const ended = endableSessions(device)
  const { end, busy } = useEndSessions(() => toast(t('security.devices.out_done', { device: name })), onFailed)
  const Sign = device.os === 'Android' || device.os === 'iOS' ? PhoneIcon : LaptopIcon
  return (
    <li className="flex flex-wrap items-start justify-end gap-3 px-5 py-3 sm:gap-4 sm:px-6">
      <span
        className={classes(
          // At the start, also where the name doesn't fit beside it.
          'mt-1 mr-auto flex size-10 shrink-0 items-center justify-center rounded-full',
          device.current
            ? 'bg-brand text-on-brand'
            : device.unknown
              ? 'bg-accent text-[#2b1a00]'
              : 'bg-sunken text-muted',
        )}
      >
        <Sign />
      </span>
      <div className="min-w-0 grow basis-40">
        <details className="group">
          <summary className="flex min-h-12 list-none items-center gap-3 rounded-row [&::-webkit-details-marker]:hidden">
            <span className="min-w-0 grow">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                <span className="min-w-0">{name}</span>
                {device.current && <Badge look="on">{t('security.devices.this')}</Badge>}
                {device.unknown && <Badge look="accent">{t('security.devices.new')}</Badge>}
              </span>
              <Seen
                browser={device.device_name === null ? undefined : browser}
                session={device.sessions[0]}
                count={device.sessions.length}
              />
            </span>
            <ChevronDownIcon
              size={18}
              className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          {device.device_id !== null && !device.unknown && (
            <Button size="small" look="ghost" className="mt-1 -ml-4" onClick={() => void rename(device)}>
              <EditIcon />
              <span aria-hidden="true">{t('security.devices.rename')}</span>
              <span className="sr-only">{t('security.devices.rename_one', { device: name })}</span>
            </Button>
          )}
          <AppsOf device={device} />
          <ul className="mt-2 mb-1 divide-y divide-line border-t border-line">
            {device.sessions.map((session) => (
              <SignIn key={session.id} session={session} alone={device.sessions.length === 1} onFailed={onFailed} />
            ))}
          </ul>
        </details>
        {device.unknown && <UnknownDevicePrompt device={device} name={name} onFailed={onFailed} />}
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

/** Apps with tokens from this device; signing it out ends them. */
function AppsOf({ device: { sessions } }: { device: Device }) {
  const { t } = useI18n()
  const apps = new Map(sessions.flatMap((session) => session.apps).map((app) => [app.client_id, app]))
  if (apps.size === 0) return null
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-2" aria-label={t('security.devices.apps')}>
      {[...apps.values()].map((app) => (
        <li key={app.client_id} className="flex min-w-0 items-center gap-2 text-small">
          <Picture kind="app" url={app.icon} name={app.name} size={24} />
          <span dir="auto" className="min-w-0 truncate">
            {app.name}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Browser of a named device, place, last use and number of sessions. */
function Seen({
  browser,
  session,
  count,
}: {
  browser: string | undefined
  session: SessionInfo | undefined
  count: number
}) {
  const { t, format } = useI18n()
  if (!session) return null
  const { words } = formatTime(session.last_seen, format)
  const seen = session.current ? t('security.devices.here') : t('security.devices.seen', { when: words })
  const times = count > 1 ? t('security.devices.times', { count }) : null
  return (
    <span className="block text-small text-muted">
      {[browser, seen, session.location, session.app && isolated(session.app), times].filter(Boolean).join(' · ')}
    </span>
  )
}

/** One session of a device. */
function SignIn({ session, alone, onFailed }: { session: SessionInfo; alone: boolean; onFailed: Props['onFailed'] }) {
  const { t, format } = useI18n()
  const since = formatTime(session.created_at, format)
  const browserName = useBrowserName()
  const name = session.device_name ?? browserName(session)
  const { end, busy } = useEndSessions(() => toast(t('security.devices.out_done', { device: name })), onFailed)
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
        <span className="block">{facts.filter(Boolean).join(' · ')}</span>
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
