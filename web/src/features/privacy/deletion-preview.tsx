import type { DataOf, privacy } from '@vrata/contract'
import type { ReactNode } from 'react'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { CloseIcon } from '../../ui/icons/icons.tsx'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'

/** Data that the deletion removes and keeps, and the time until which it can be undone. */
export function DeletionPreview({ preview }: { preview: DataOf<typeof privacy.previewDeletion> }) {
  const { t, format } = useI18n()
  const { due_at, sessions, connections, organizations_deleted, organizations_left } = preview
  const names = (list: readonly { name: string }[]) => format.list(list.map(({ name }) => name))
  return (
    <>
      <p>{t('privacy.delete.when', { date: format.date(parseServerTime(due_at)) })}</p>
      <List title={t('privacy.delete.goes')} sign={<CloseIcon size={18} className="mt-0.5 text-danger" />}>
        {[
          t('privacy.delete.goes_info'),
          t('privacy.delete.goes_sessions', { count: sessions }),
          connections > 0 && t('privacy.delete.goes_apps', { count: connections }),
          organizations_deleted.length > 0 &&
            t('privacy.delete.goes_organizations', {
              names: names(organizations_deleted),
              count: organizations_deleted.length,
            }),
        ]}
      </List>
      <List title={t('privacy.delete.stays')} sign={<CheckIcon size={18} className="mt-0.5 text-ok" />}>
        {[
          t('privacy.delete.stays_apps'),
          organizations_left.length > 0 &&
            t('privacy.delete.stays_organizations', {
              names: names(organizations_left),
              count: organizations_left.length,
            }),
        ]}
      </List>
    </>
  )
}

function List({ title, sign, children }: { title: string; sign: ReactNode; children: (string | false)[] }) {
  return (
    <>
      <h3 className="mt-4 text-base text-ink">{title}</h3>
      <ul className="mt-1 space-y-1">
        {children.map(
          (line) =>
            line && (
              <li key={line} className="flex gap-2 text-base">
                {sign}
                <span className="min-w-0">{line}</span>
              </li>
            ),
        )}
      </ul>
    </>
  )
}
