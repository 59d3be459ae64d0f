import { atLeast, LEVELS, type Level, levelsToGive, mayGive, type Needs } from '@vrata/contract'
import * as clients from '@vrata/contract/clients'
import * as developers from '@vrata/contract/developers'
import * as members from '@vrata/contract/members'
import * as users from '@vrata/contract/users'
import type { PhraseKey } from '@vrata/phrases/keys'

type Power = { words: PhraseKey; needs: Needs }

const power = (words: PhraseKey, { needs }: { needs: Needs }): Power => ({ words, needs })

/** What people may do in an organisation, by the level that the server's fence asks for (api.md §5). */
const POWERS: readonly Power[] = [
  power('members.power.see', members.listMembers),
  power('members.power.users', users.listUsers),
  power('members.power.apps', clients.createClient),
  power('members.power.block', users.setUserBlocked),
  power('members.power.activity', developers.listDeveloperActivity),
  power('members.power.delete_apps', clients.deleteClient),
  power('members.power.edit', developers.updateDeveloper),
  power('members.power.manage', members.changeLevel),
  power('members.power.owners', { needs: LEVELS.find((level) => mayGive(level, 'owner')) ?? 'owner' }),
  power('members.power.delete', developers.deleteDeveloper),
]

/** `level` stands in the sentence: the highest that may be handed out. */
type Said = { words: PhraseKey; level?: Level }

/** Everything that this level may do. */
export function powersOf(level: Level): Said[] {
  const said = LEVELS.filter((one) => atLeast(level, one)).flatMap(powersAdded)
  // Of what a higher level may do more of, only that is said.
  return said.filter(({ words }, at) => said.findLastIndex((one) => one.words === words) === at)
}

/** What this level may do that the one below it may not. */
export function powersAdded(level: Level): Said[] {
  const below = LEVELS[LEVELS.indexOf(level) - 1]
  const added = POWERS.filter(({ needs }) => needs === level).map(({ words }) => ({ words }))
  const [gives, gave] = [levelsToGive(level).at(-1), levelsToGive(below).at(-1)]
  const invites = gives && gives !== gave && atLeast(level, members.inviteMember.needs)
  return invites ? [...added, { words: 'members.power.invite' as const, level: gives }] : added
}
