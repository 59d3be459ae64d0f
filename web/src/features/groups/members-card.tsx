import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import * as adminUsers from '@vrata/contract/admin-users'
import type { Group, GroupMember } from '@vrata/contract/groups'
import * as groups from '@vrata/contract/groups'
import { LIMITS } from '@vrata/contract/limits'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { SearchField } from '../../ui/form/search-field.tsx'
import { TrashIcon } from '../../ui/icons/signed-in-icons.tsx'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { groupMemberPages, invalidateGroups } from './group-queries.ts'
import { useRefusedGroupChange } from './use-refused-group-change.ts'

/** A search field appears above this number of members, and stays while it contains something. */
const SEARCH_FROM = 6

/** Members of a group. Administrators add and remove people. */
export function MembersCard({ group: { key, members } }: { group: Group }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const refused = useRefusedGroupChange()
  const mayChange = useUser().operator_role === 'admin'
  const [query, setQuery] = useState('')
  const list = useInfiniteQuery({
    ...groupMemberPages(context, key, query),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = list
  const shown = data?.pages.flatMap((page) => page.members)

  const add = () =>
    showDialog({
      title: t('groups.add'),
      message: t('groups.add.text'),
      fields: [
        { kind: 'text', name: 'person', label: t('groups.add.person'), required: true, maxLength: LIMITS.search_max },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('groups.add') }],
      async onSubmit({ person = '' }) {
        const found = await context.api(adminUsers.listAdminUsers, { query: person, limit: 2 })
        if (!found.ok) return formErrors(found)
        const exact = found.data.find(({ email }) => email === person.trim().toLowerCase())
        const [first, second] = found.data
        const chosen = exact ?? (second ? undefined : first)
        if (!chosen) return { fields: { person: t(first ? 'groups.add.several' : 'groups.add.nobody') } }
        const answer = await context.api(groups.addGroupMember, { key, user_id: chosen.id })
        if (!answer.ok && answer.problem.code === 'email_not_verified')
          return { fields: { person: t('groups.add.unconfirmed') } }
        if (!answer.ok) return refused(answer)
        await invalidateGroups(context)
        toast(t('groups.added', { name: accountName(chosen) }))
      },
    })

  const remove = ({ user }: GroupMember) =>
    showDialog({
      title: t('groups.remove'),
      message: t('groups.remove.text', { name: accountName(user) }),
      buttons: [{ label: t('ui.cancel') }, { label: t('groups.remove') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(groups.removeGroupMember, { key, user_id: user.id })
        if (!answer.ok) return refused(answer)
        await invalidateGroups(context)
        toast(t('groups.removed'))
      },
    })

  return (
    <Card aria-labelledby="group-members">
      <CardHead
        id="group-members"
        title={t('groups.members')}
        text={t('groups.members.text')}
        action={mayChange && <Button onClick={() => void add()}>{t('groups.add')}</Button>}
      />
      {(members > SEARCH_FROM || query) && (
        <CardBody className="py-3">
          <SearchField label={t('groups.members.search')} onSearch={setQuery} />
        </CardBody>
      )}
      {shown?.length ? (
        <Rows label={t('groups.members')}>
          {shown.map((member) => {
            const { user } = member
            const name = accountName(user)
            return (
              <Row
                key={user.id}
                picture={<Picture kind="user" url={user.profile_picture} name={name} size={40} />}
                label={<TextLink href={paths.adminPerson(user.id)}>{name}</TextLink>}
                text={name === user.email ? undefined : <EmailAddress>{user.email}</EmailAddress>}
                action={
                  mayChange && (
                    <IconButton label={t('groups.remove_of', { name })} onClick={() => void remove(member)}>
                      <TrashIcon />
                    </IconButton>
                  )
                }
              />
            )
          })}
        </Rows>
      ) : shown ? (
        <EmptyState text={t(query ? 'ui.nothing_found' : 'groups.members.none')} />
      ) : error ? (
        <ErrorState
          title={t('groups.members.failed')}
          text={t('groups.failed_text')}
          onRetry={() => void refetch()}
          code={requestIdOf(error)}
        />
      ) : (
        <SkeletonRows rows={3} label={t('groups.loading')} />
      )}
      {list.hasNextPage && (
        <CardBody>
          <MoreButton list={list} />
        </CardBody>
      )}
    </Card>
  )
}
