import { atLeast, canGrantLevel, grantableLevels, LEVELS, type Level, type Needs } from '@vrata/contract'
import * as clients from '@vrata/contract/clients'
import * as developers from '@vrata/contract/developers'
import * as members from '@vrata/contract/members'
import * as users from '@vrata/contract/users'
import type { PhraseKey } from '@vrata/phrases/keys'

type Permission = { words: PhraseKey; needs: Needs }

const permission = (words: PhraseKey, { needs }: { needs: Needs }): Permission => ({ words, needs })

/** Permissions in an organization by the level that the contract requires (api §5.1). */
const PERMISSIONS: readonly Permission[] = [
  permission('members.power.see', members.listMembers),
  permission('members.power.users', users.listUsers),
  permission('members.power.apps', clients.createClient),
  permission('members.power.block', users.setUserBlocked),
  permission('members.power.activity', developers.listDeveloperActivity),
  permission('members.power.delete_apps', clients.deleteClient),
  permission('members.power.edit', developers.updateDeveloper),
  permission('members.power.manage', members.changeLevel),
  permission('members.power.owners', { needs: LEVELS.find((level) => canGrantLevel(level, 'owner')) ?? 'owner' }),
  permission('members.power.delete', developers.deleteDeveloper),
]

/** `level` is a value of the phrase: the highest level that may be granted. */
type ListedPermission = { words: PhraseKey; level?: Level }

/** All permissions of a level. */
export function permissionsOf(level: Level): ListedPermission[] {
  const listed = LEVELS.filter((one) => atLeast(level, one)).flatMap(addedPermissions)
  // Only the last of repeated permissions is listed.
  return listed.filter(({ words }, at) => listed.findLastIndex((one) => one.words === words) === at)
}

/** Permissions that a level has and the level below has not. */
export function addedPermissions(level: Level): ListedPermission[] {
  const below = LEVELS[LEVELS.indexOf(level) - 1]
  const added = PERMISSIONS.filter(({ needs }) => needs === level).map(({ words }) => ({ words }))
  const [gives, gave] = [grantableLevels(level).at(-1), grantableLevels(below).at(-1)]
  const invites = gives && gives !== gave && atLeast(level, members.inviteMember.needs)
  return invites ? [...added, { words: 'members.power.invite' as const, level: gives }] : added
}
