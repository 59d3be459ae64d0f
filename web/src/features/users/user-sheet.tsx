import { useQuery } from '@tanstack/react-query'
import type { DeveloperUserDetails } from '@vrata/contract/users'
import * as users from '@vrata/contract/users'
import type { ReactNode } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { formatTime, parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { SheetFoot } from '../../ui/dialog/sheet-foot.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { BlockButton } from './block-button.tsx'
import { ExportUserButton } from './export-user-button.tsx'
import { userDetails } from './queries.ts'

type UserSheetProps = { id: string; open: boolean; onClose: () => void }

/** Data that one user shares with each app, their last sign-ins, blocking and export (design §7.27). */
export function UserSheet({ id, open, onClose }: UserSheetProps) {
  const { t } = useI18n()
  const { data: user, error, refetch } = useQuery(userDetails(useAppContext(), id))
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={user ? (user.name ?? user.email ?? t('users.nameless')) : t('users.column.person')}
      message={user?.name ? user.email : undefined}
    >
      {user ? (
        <Details user={user} onClose={onClose} />
      ) : error ? (
        <ErrorState
          title={t('users.details.failed')}
          text={t('users.failed_text')}
          onRetry={() => void refetch()}
          code={requestIdOf(error)}
        />
      ) : (
        <SkeletonRows rows={4} label={t('users.loading')} />
      )}
    </Sheet>
  )
}

function Details({ user, onClose }: { user: DeveloperUserDetails; onClose: () => void }) {
  const { t } = useI18n()
  const mayBlock = can(useUser(), users.setUserBlocked)
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Picture kind="user" url={user.profile_picture} name={user.name ?? ''} size={40} />
        <div className="min-w-0 grow basis-40">
          <p className="text-small text-muted">{t('users.id')}</p>
          <code className="block font-mono text-small break-all select-all">{user.id}</code>
        </div>
        <CopyButton text={user.id} what={t('users.id')} />
      </div>
      {user.blocked && (
        <p className="mt-4">
          <Badge look="danger">{t('users.blocked')}</Badge>
        </p>
      )}
      <Section title={t('users.details.shared')}>
        <Apps user={user} />
      </Section>
      <Section title={t('users.details.sign_ins')}>
        <SignIns user={user} />
      </Section>
      <div className="my-6">
        <ExportUserButton id={user.id} />
      </div>
      <SheetFoot>
        <Button onClick={onClose}>{t('ui.close')}</Button>
        {mayBlock && <BlockButton user={user} onDone={onClose} />}
      </SheetFoot>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Apps({ user: { id, clients } }: { user: DeveloperUserDetails }) {
  const { t, format } = useI18n()
  if (clients.length === 0) return <p className="text-muted">{t('users.no_apps')}</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {clients.map(({ client_id, name, icon, sub, connected_at, last_used_at, scopes }) => (
        <li key={client_id} className="flex gap-3 py-3">
          <Picture kind="app" url={icon} name={name} size={40} />
          <div className="min-w-0 grow">
            <p className="font-medium">{name}</p>
            <p className="text-small text-muted">
              {t('users.details.since', { date: format.date(parseServerTime(connected_at)) })}
              {last_used_at && (
                <>
                  {' · '}
                  {t('users.column.used')}: <Time at={last_used_at} {...formatTime(last_used_at, format)} />
                </>
              )}
            </p>
            {/* An app with pairwise subjects knows the person by another ID. */}
            {sub !== id && (
              <p className="text-small text-muted">
                {t('users.id')} <code className="font-mono break-all select-all">{sub}</code>
              </p>
            )}
            <ul className="mt-1 list-disc pl-5 text-muted">
              {scopes.map(({ key, title }) => (
                <li key={key}>{title}</li>
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  )
}

function SignIns({ user: { sign_ins, clients } }: { user: DeveloperUserDetails }) {
  const { t, format } = useI18n()
  if (sign_ins.length === 0) return <p className="text-muted">{t('users.details.no_sign_ins')}</p>
  const names = new Map(clients.map(({ client_id, name }) => [client_id, name]))
  return (
    <ul className="space-y-1">
      {sign_ins.map(({ client_id, at }) => (
        <li key={`${client_id} ${at}`} className="flex flex-wrap justify-between gap-x-4">
          <span dir="auto" className="min-w-0 truncate">
            {names.get(client_id)}
          </span>
          <time dateTime={at} className="text-muted">
            {format.dateTime(parseServerTime(at))}
          </time>
        </li>
      ))}
    </ul>
  )
}
