import { mayManage } from '@vrata/contract'
import type { MemberInfo } from '@vrata/contract/members'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { serverTime } from '../../lib/time.ts'
import { accountName } from '../../ui/account-card.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { MemberSheet } from './member-sheet.tsx'

/** Everybody with their level; whom one may act on can be opened. */
export function MembersCard({ members }: { members: readonly MemberInfo[] }) {
  const { t } = useI18n()
  const [chosen, setChosen] = useState<string>()
  const [open, setOpen] = useState(false)
  // What was opened last stays on view while the sheet closes.
  const shown = members.find(({ id }) => id === chosen)
  return (
    <Card aria-labelledby="members">
      <CardHead id="members" title={t('members.list')} />
      <Rows label={t('members.list')}>
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            onOpen={() => {
              setChosen(member.id)
              setOpen(true)
            }}
          />
        ))}
      </Rows>
      {shown && <MemberSheet key={shown.id} member={shown} open={open} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function MemberRow({ member, onOpen }: { member: MemberInfo; onOpen: () => void }) {
  const { t, format } = useI18n()
  const me = useUser()
  const { user, permission, joined_at } = member
  const name = accountName(user)
  return (
    <Row
      picture={<Picture kind="user" url={user.profile_picture} name={name} />}
      label={
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 break-words">{name}</span>
          {user.id === me.id && <Badge look="on">{t('members.you')}</Badge>}
        </span>
      }
      text={
        <>
          <span className="block truncate">{user.email}</span>
          <span className="block">{t('members.since', { date: format.date(serverTime(joined_at ?? '')) })}</span>
        </>
      }
      value={t(`ui.level.${permission}`)}
      long
      {...(mayManage(me.permission, permission) ? { onClick: onOpen } : {})}
    />
  )
}
