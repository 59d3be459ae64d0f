import type { KnownUser } from '@vrata/contract/users'
import * as users from '@vrata/contract/users'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { shownTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'

/** One person: what they allowed to be seen, the apps they use, and the way to block them. */
export function UserRow({ user, onChanged }: { user: KnownUser; onChanged: () => void }) {
  const { t } = useI18n()
  const shown = user.name ?? user.email
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
      <Picture kind="user" url={user.profile_picture} name={user.name ?? ''} />
      <div className="min-w-0 grow basis-56">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 break-words text-lead font-semibold">{shown ?? t('users.nameless')}</span>
          {user.blocked && <Badge look="danger">{t('users.blocked')}</Badge>}
        </p>
        {user.name && user.email && <p className="break-words text-muted">{user.email}</p>}
        <p className="text-small break-all text-muted">
          {t('users.id')} <code className="font-mono select-all">{user.id}</code>
        </p>
        <div className="mt-2">
          <Apps user={user} />
        </div>
      </div>
      <div className="max-sm:w-full max-sm:pl-14 empty:hidden">
        <Block user={user} shown={shown ?? user.id} onChanged={onChanged} />
      </div>
    </div>
  )
}

function Apps({ user: { clients } }: { user: KnownUser }) {
  const { t, format } = useI18n()
  if (clients.length === 0) return <p className="text-muted">{t('users.no_apps')}</p>
  return (
    <ul aria-label={t('users.apps')} className="space-y-1">
      {clients.map(({ client_id, name, icon, last_used_at, connected_at }) => (
        <li key={client_id} className="flex items-center gap-2">
          <Picture kind="app" url={icon} name={name} size={24} />
          <span className="min-w-0 truncate">{name}</span>
          <span className="shrink-0 text-small text-muted">
            <Time at={last_used_at ?? connected_at} {...shownTime(last_used_at ?? connected_at, format)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Block({ user, shown, onChanged }: { user: KnownUser; shown: string; onChanged: () => void }) {
  const { t } = useI18n()
  const { refusal, sentence } = useRefusal()
  const wires = useWires()
  if (!can(useUser(), users.setUserBlocked)) return null
  const set = (blocked: boolean) => wires.api(users.setUserBlocked, { id: user.id, blocked })

  async function unblock() {
    const answer = await set(false)
    if (!answer.ok) return toast(sentence(answer))
    onChanged()
    toast(t('users.unblocked'))
  }
  const block = () =>
    ask({
      title: t('users.block.title'),
      message: (
        <>
          <strong className="block font-semibold break-words text-ink">{shown}</strong>
          <span className="mt-3 block">{t('users.block.text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('users.block') }],
      danger: true,
      async send() {
        const answer = await set(true)
        if (!answer.ok) return refusal(answer)
        onChanged()
        toast(t('users.was_blocked'))
      },
    })
  return (
    <Button
      size="small"
      aria-label={t(user.blocked ? 'users.unblock_one' : 'users.block_one', { name: shown })}
      onClick={() => void (user.blocked ? unblock() : block())}
    >
      {t(user.blocked ? 'users.unblock' : 'users.block')}
    </Button>
  )
}
