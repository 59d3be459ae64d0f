import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import type { Group } from '@vrata/contract/groups'
import * as groups from '@vrata/contract/groups'
import { LIMITS } from '@vrata/contract/limits'
import { paths } from '@vrata/contract/page-addresses'
import { changedFrom } from '../../lib/api/changed-from.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { LoadedPage } from '../../lib/loading/loaded-page.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { groupQuery, invalidateGroups } from './group-queries.ts'
import { MembersCard } from './members-card.tsx'
import { useRefusedGroupChange } from './use-refused-group-change.ts'

/** One group with its members. Administrators change and delete it. */
export function GroupPage() {
  const { groupKey = '' } = useParams({ strict: false })
  const query = useQuery(groupQuery(useAppContext(), groupKey))
  return (
    <LoadedPage query={query} phrases="groups" list={paths.adminGroups}>
      {(group) => <GroupDetails group={group} />}
    </LoadedPage>
  )
}

function GroupDetails({ group }: { group: Group }) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const mayChange = useUser().operator_role === 'admin'
  const { key, name, description, members } = group
  const refused = useRefusedGroupChange()

  const change = () =>
    showDialog({
      title: t('groups.change'),
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('groups.name'),
          value: name,
          required: true,
          maxLength: LIMITS.name_max,
        },
        {
          kind: 'multiline',
          name: 'description',
          label: t('groups.description'),
          value: description,
          maxLength: LIMITS.description_max,
        },
        { kind: 'disabled', name: 'key', label: t('groups.key'), value: key, hint: t('groups.key.fixed') },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('groups.save') }],
      async onSubmit({ name: next = '', description: text = '' }) {
        const typed = { name: next.trim(), description: text.replace(/\s+/g, ' ').trim() }
        const answer = await context.api(groups.updateGroup, { key, ...changedFrom(group, typed) })
        if (!answer.ok) return refused(answer)
        await invalidateGroups(context)
        toast(t('groups.changed'))
      },
    })

  const remove = () =>
    showDialog({
      title: t('groups.delete'),
      message: t('groups.delete.text', { name, count: members }),
      buttons: [{ label: t('ui.cancel') }, { label: t('groups.delete') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(groups.deleteGroup, { key })
        if (!answer.ok) return refused(answer)
        context.queries.removeQueries({ queryKey: groupQuery(context, key).queryKey })
        await context.queries.invalidateQueries({ queryKey: [groups.listGroups.path] })
        toast(t('groups.deleted'))
        void router.navigate({ href: paths.adminGroups })
      },
    })

  return (
    <div className="space-y-6">
      <PageHead
        title={name}
        text={description ? `${key} · ${description}` : key}
        action={
          mayChange && (
            <div className="flex flex-wrap gap-3">
              <Button onClick={() => void change()}>{t('groups.change')}</Button>
              <Button onClick={() => void remove()}>{t('groups.delete')}</Button>
            </div>
          )
        }
      />
      <MembersCard group={group} />
    </div>
  )
}
