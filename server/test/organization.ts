import { clients, developers, type Level, sessions } from '@vrata/contract'
import { newId } from '../src/lib/ids.ts'
import { jadrolet, studio } from './people.ts'
import type { SignedIn, TestServer } from './test-server.ts'

type NewApp = { name: string; type?: clients.ClientType; redirect_uri?: string; home_page_url?: string }

/** A developer account, current for its owner. */
export interface Organization {
  developer_id: string
  /** Makes a user a member with this level, directly in the database; the user's current developer does not change. */
  grant(person: SignedIn, level: Level): Promise<void>
  /** Like `grant`, and switches the user to the developer account. */
  join(person: SignedIn, level: Level): Promise<void>
  /** Creates a client as the owner. */
  app(input?: Partial<NewApp>): ReturnType<typeof createApp>
}

/** Creates a developer account for a signed-in user. */
export async function createOrganization(
  server: TestServer,
  owner: SignedIn,
  name: string = studio.name,
): Promise<Organization> {
  const made = await owner.call(developers.createDeveloper, { name })
  if (!made.ok) throw new Error(`${name} could not be created: ${JSON.stringify(made.problem)}`)
  const { developer_id } = made.data
  const grant = async (person: SignedIn, permission: Level) => {
    await server.store.db
      .insertInto('members')
      .values({
        id: newId(server.clock),
        developer_id,
        user_id: person.user.id,
        permission,
        joined_at: server.clock.now().toISOString(),
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

/** Switches to a developer account; null switches to the personal account. */
export async function switchTo(person: SignedIn, developer_id: string | null): Promise<void> {
  const switched = await person.call(sessions.refresh, { developer_id })
  if (!switched.ok) throw new Error(`${person.user.email} could not switch: ${JSON.stringify(switched.problem)}`)
}

async function createApp(owner: SignedIn, input: NewApp) {
  const answer = await owner.call(clients.createClient, input)
  if (!answer.ok) throw new Error(`${input.name} could not be created: ${JSON.stringify(answer.problem)}`)
  return answer.data
}
