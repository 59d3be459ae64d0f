import { auth, clients, developers, type Level } from '@vrata/contract'
import { newId } from '../src/ports/ids.ts'
import type { House, SignedIn } from './house.ts'
import { jadrolet, studio } from './people.ts'

type NewApp = { name: string; type?: clients.ClientType; redirect_uri?: string; home_page_url?: string }

/** An organisation, current for its owner. */
export interface Organisation {
  developer_id: string
  /** Gives somebody this level, a member already or not, whatever the rules say; nobody's current one changes. */
  grant(person: SignedIn, level: Level): Promise<void>
  /** The same, and makes the organisation their current one. */
  join(person: SignedIn, level: Level): Promise<void>
  /** One more app, made by the owner. */
  app(input?: Partial<NewApp>): ReturnType<typeof createApp>
}

/** Makes an organisation for somebody signed in. */
export async function openOrganisation(
  house: House,
  owner: SignedIn,
  name: string = studio.name,
): Promise<Organisation> {
  const made = await owner.call(developers.createDeveloper, { name })
  if (!made.ok) throw new Error(`${name} could not be made: ${JSON.stringify(made.problem)}`)
  const { developer_id } = made.data
  const grant = async (person: SignedIn, permission: Level) => {
    await house.store.db
      .insertInto('members')
      .values({
        id: newId(house.clock),
        developer_id,
        user_id: person.user.id,
        permission,
        joined_at: house.clock.now().toISOString(),
      })
      .onConflict((c) => c.columns(['developer_id', 'user_id']).doUpdateSet({ permission }))
      .execute()
  }
  return {
    developer_id,
    app: (input = {}) => createApp(owner, { ...jadrolet, ...input }),
    grant,
    async join(person, level) {
      await grant(person, level)
      await switchTo(person, developer_id)
    },
  }
}

/** Makes an organisation the current one; null goes back to the personal account. */
export async function switchTo(person: SignedIn, developer_id: string | null): Promise<void> {
  const switched = await person.call(auth.refresh, { developer_id })
  if (!switched.ok) throw new Error(`${person.user.email} could not switch: ${JSON.stringify(switched.problem)}`)
}

async function createApp(owner: SignedIn, input: NewApp) {
  const answer = await owner.call(clients.createClient, input)
  if (!answer.ok) throw new Error(`${input.name} could not be made: ${JSON.stringify(answer.problem)}`)
  return answer.data
}
