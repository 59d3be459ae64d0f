import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import * as groups from '@vrata/contract/groups'
import { LIMITS } from '@vrata/contract/limits'
import { paths } from '@vrata/contract/page-addresses'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { SearchField } from '../../ui/form/search-field.tsx'
import { MembersIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { groupPages, invalidateGroups } from './group-queries.ts'

/** Letters, digits, `.`, `_` and `-`, as the contract has it. */
const KEY = '[a-z0-9]([a-z0-9._\\-]*[a-z0-9])?'

/** The groups of the installation. Administrators create new ones. The address has the search. */
export function GroupsPage() {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()
  const mayChange = useUser().operator_role === 'admin'
  const [{ query = '' }, set] = useAddressFilter(['query'])
  const list = useInfiniteQuery({
    ...groupPages(context, query),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = list
  const found = data?.pages.flatMap((page) => page.groups)

  const create = () =>
    showDialog({
      title: t('groups.create'),
      fields: [
        { kind: 'text', name: 'name', label: t('groups.name'), required: true, maxLength: LIMITS.name_max },
        {
          kind: 'text',
          name: 'key',
          label: t('groups.key'),
          hint: t('groups.key.hint'),
          required: true,
          maxLength: LIMITS.group_key_max,
          pattern: KEY,
          invalid: t('groups.key.invalid'),
        },
        {
          kind: 'multiline',
          name: 'description',
          label: t('groups.description'),
          maxLength: LIMITS.description_max,
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('groups.create') }],
      async onSubmit({ key = '', name = '', description = '' }) {
        const answer = await context.api(groups.createGroup, {
          key,
          name,
          description: description.replace(/\s+/g, ' ').trim(),
        })
        if (!answer.ok) return formErrors(answer, { group_exists: 'key' })
        await invalidateGroups(context)
        toast(t('groups.created'))
        void router.navigate({ href: paths.adminGroup(key) })
      },
    })

  return (
    <div className="space-y-6">
      <PageHead
        title={t('groups.title')}
        text={t('groups.text')}
        action={mayChange && <Button onClick={() => void create()}>{t('groups.create')}</Button>}
      />
      <SearchField label={t('groups.search')} text={query} onSearch={(text) => set({ query: text })} />
      <Card>
        {found?.length ? (
          <Rows label={t('groups.title')}>
            {found.map(({ key, name, description, members }) => (
              <Row
                key={key}
                icon={MembersIcon}
                label={name}
                text={description ? `${key} · ${description}` : key}
                value={t('groups.members.count', { count: members })}
                long
                href={paths.adminGroup(key)}
              />
            ))}
          </Rows>
        ) : found ? (
          <EmptyState text={t(query ? 'ui.nothing_found' : 'groups.none')} />
        ) : error ? (
          <ErrorState
            title={t('groups.failed')}
            text={t('groups.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={4} label={t('groups.loading')} />
        )}
      </Card>
      <MoreButton list={list} />
    </div>
  )
}
