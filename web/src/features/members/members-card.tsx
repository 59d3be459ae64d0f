import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { canManageMember } from '@vrata/contract'
import type { MemberInfo } from '@vrata/contract/members'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { useUser } from '../../lib/session.ts'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { MemberFilters } from './member-filters.tsx'
import { MemberSheet } from './member-sheet.tsx'
import { memberList, viewOf } from './queries.ts'

/** A search field appears above this number of members, and where the address has a filter. */
const SEARCH_FROM = 6

/** Members with their levels; those that the user may manage can be opened. The address has the filter. */
export function MembersCard({ members: all }: { members: readonly MemberInfo[] }) {
  const { t } = useI18n()
  const context = useAppContext()
  const [filter, set] = useAddressFilter(['query', 'permission', 'sort'])
  const view = viewOf(filter)
  const list = useQuery({ ...memberList(context, view), placeholderData: keepPreviousData })
  const members = list.data?.filter(({ pending }) => !pending) ?? all
  const failed = list.isLoadingError
  const filtered = Boolean(view.query || view.permission)
  const [chosen, setChosen] = useState<string>()
  const [open, setOpen] = useState(false)
  // The member stays visible while the sheet closes.
  const shown = all.find(({ id }) => id === chosen)
  return (
    <Card aria-labelledby="members">
      <CardHead id="members" title={t('members.list')} />
      {(all.length > SEARCH_FROM || filtered) && (
        <div className="px-5 pb-4 sm:px-6">
          <MemberFilters view={view} set={set} />
          {!failed && (
            <p role="status" className="mt-3 text-muted">
              {t('members.count', { count: members.length })}
            </p>
          )}
        </div>
      )}
      {failed ? (
        <ErrorState
          title={t('members.failed')}
          text={t('members.failed_text')}
          onRetry={() => void list.refetch()}
          code={requestIdOf(list.error)}
        />
      ) : (
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
      )}
      {members.length === 0 && <p className="px-5 pb-5 text-muted sm:px-6">{t('ui.nothing_found')}</p>}
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
          <span className="min-w-0">{name}</span>
          {user.id === me.id && <Badge look="on">{t('members.you')}</Badge>}
        </span>
      }
      text={
        <>
          <span className="block">
            <EmailAddress>{user.email}</EmailAddress>
          </span>
          <span className="block">{t('members.since', { date: format.date(parseServerTime(joined_at ?? '')) })}</span>
        </>
      }
      value={t(`menu.level.${permission}`)}
      long
      {...(canManageMember(me.permission, permission) ? { onClick: onOpen } : {})}
    />
  )
}
