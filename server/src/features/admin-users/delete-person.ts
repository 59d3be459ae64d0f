import { type adminUsers, type InputOf, paths } from '@vrata/contract'
import { queueMail } from '../../adapters/mail/mail.ts'
import type { TransactionDeps } from '../../deps.ts'
import { greetingName, localeOf } from '../account/public.ts'
import { cancelDeletion, scheduleDeletion } from '../privacy/public.ts'
import { getAdminUser } from './list-people.ts'
import { finish, type Helper, lockPerson } from './person-changes.ts'

/** Schedules the deletion in 14 days, as the person would (api §3.10). A scheduled one keeps its time. */
export async function deleteUser(deps: TransactionDeps, actor: Helper, { id }: InputOf<typeof adminUsers.deleteUser>) {
  const user = await lockPerson(deps, actor, id)
  const due_at = await scheduleDeletion(deps, user)
  if (due_at === undefined) return await getAdminUser(deps, actor, { id })
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'deletion_by_operator',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.login()}`, when: due_at },
  })
  return await finish(deps, actor, user, 'user.deletion_requested', { due_at: [null, due_at] })
}

/** Cancels a scheduled deletion. Without one nothing changes. */
export async function restoreUser(
  deps: TransactionDeps,
  actor: Helper,
  { id }: InputOf<typeof adminUsers.restoreUser>,
) {
  const user = await lockPerson(deps, actor, id)
  if (!(await cancelDeletion(deps, user.id))) return await getAdminUser(deps, actor, { id })
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'restored_by_operator',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.login()}` },
  })
  return await finish(deps, actor, user, 'user.restored')
}
