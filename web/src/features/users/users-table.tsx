import type { DeveloperUser } from '@vrata/contract/users'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { Time } from '../../ui/content/time.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Picture } from '../../ui/identity/picture.tsx'

type UsersTableProps = { people: readonly DeveloperUser[]; onOpen: (id: string) => void }

/** Users in rows that open their details. Narrow windows hide columns; the details have all. */
export function UsersTable({ people, onOpen }: UsersTableProps) {
  const { t } = useI18n()
  return (
    <table className="w-full table-fixed text-left">
      <caption className="sr-only">{t('menu.title.users')}</caption>
      <thead className="text-small text-muted">
        <tr className="border-b border-line *:px-3 *:py-2.5 *:font-semibold *:first:pl-5 *:last:pr-5 sm:*:first:pl-6 sm:*:last:pr-6">
          <th scope="col">{t('users.column.person')}</th>
          <th scope="col" className="w-[30%] max-lg:hidden">
            {t('users.column.email')}
          </th>
          <th scope="col" className="w-[24%] max-sm:hidden">
            {t('users.column.apps')}
          </th>
          <th scope="col" className="w-[35%] sm:w-[22%] lg:w-[17%] large-text:hidden">
            {t('users.column.used')}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {people.map((user) => (
          <UserRow key={user.id} user={user} onOpen={() => onOpen(user.id)} />
        ))}
      </tbody>
    </table>
  )
}

function UserRow({ user, onOpen }: { user: DeveloperUser; onOpen: () => void }) {
  const { t, format } = useI18n()
  const { name, email, clients, blocked } = user
  const used = lastUse(user)
  return (
    <tr className="relative h-11 transition-colors duration-150 *:px-3 *:py-1.5 *:first:pl-5 *:last:pr-5 hover:bg-sunken sm:*:first:pl-6 sm:*:last:pr-6">
      <td>
        <div className="flex items-center gap-3">
          <Picture kind="user" url={user.profile_picture} name={name ?? ''} size={24} />
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-2">
              {/* The whole row is the target (design §5). */}
              <button
                type="button"
                onClick={onOpen}
                dir="auto"
                className="min-w-0 max-w-full text-left font-medium wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-focus"
              >
                {name ?? email ?? t('users.nameless')}
              </button>
              {blocked && <Badge look="danger">{t('users.blocked')}</Badge>}
            </div>
            {name && email && (
              <p className="text-small wrap-anywhere text-muted lg:hidden">
                <EmailAddress>{email}</EmailAddress>
              </p>
            )}
          </div>
        </div>
      </td>
      <td className="text-muted wrap-anywhere max-lg:hidden">{email && <EmailAddress>{email}</EmailAddress>}</td>
      <td dir="auto" className="truncate text-left text-muted max-sm:hidden">
        {clients.map((client) => client.name).join(', ')}
      </td>
      <td className="text-small text-muted large-text:hidden">
        {used && <Time at={used} {...formatTime(used, format)} />}
      </td>
    </tr>
  )
}

/** The last use of any app, or else the time of the newest connection. */
function lastUse({ clients }: DeveloperUser): string | undefined {
  const uses = clients.map(({ last_used_at, connected_at }) => last_used_at ?? connected_at)
  return uses.sort().at(-1)
}
