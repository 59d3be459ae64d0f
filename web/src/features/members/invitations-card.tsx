import { canGrantLevel } from '@vrata/contract'
import type { MemberInfo } from '@vrata/contract/members'
import { useState } from 'react'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { MailIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { InvitationSheet } from './invitation-sheet.tsx'

/** Pending invitations; those that the user may grant can be opened. */
export function InvitationsCard({ pending }: { pending: readonly MemberInfo[] }) {
  const { t } = useI18n()
  const [chosen, setChosen] = useState<MemberInfo>()
  const [open, setOpen] = useState(false)
  if (!pending.length && !open) return null
  return (
    <Card aria-labelledby="invitations">
      <CardHead id="invitations" title={t('members.pending.title')} text={t('members.pending.text')} />
      <Rows label={t('members.pending.title')}>
        {/* One that is sent again is a new invitation to the same address. */}
        {pending.map((one) => (
          <InvitationRow
            key={one.user.email}
            pending={one}
            onOpen={() => {
              setChosen(one)
              setOpen(true)
            }}
          />
        ))}
      </Rows>
      {chosen && <InvitationSheet key={chosen.id} pending={chosen} open={open} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function InvitationRow({ pending, onOpen }: { pending: MemberInfo; onOpen: () => void }) {
  const { t, format } = useI18n()
  const { permission } = useUser()
  const { state = 'waiting', inviter, expires_at = '' } = pending.invitation ?? {}
  const level = t(`menu.level.${pending.permission}`)
  const words = t(`members.state.${state as 'waiting'}`, { date: format.date(parseServerTime(expires_at)) })
  return (
    <Row
      icon={MailIcon}
      label={
        <span className="block">
          <EmailAddress>{pending.user.email}</EmailAddress>
        </span>
      }
      text={
        <>
          <span className="block">
            {inviter ? t('members.pending.by', { level, name: inviter }) : t('members.pending.nobody', { level })}
          </span>
          {state === 'waiting' && <span className="block">{words}</span>}
        </>
      }
      {...(state === 'waiting' ? {} : { value: <Badge look="accent">{words}</Badge> })}
      {...(canGrantLevel(permission, pending.permission) ? { onClick: onOpen } : {})}
    />
  )
}
