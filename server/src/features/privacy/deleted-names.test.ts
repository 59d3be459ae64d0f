import { clientAccess, developers, members, privacy, signIn } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AllRows } from '../../../test/oracle/rows.ts'
import { createOrganization } from '../../../test/organization.ts'
import { type RegisteredUser, registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneAll } from '../../prune.ts'

const DAY = 24 * 60 * 60

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const rows = await (await AllRows.open(server.store)).read()
  return [...rows].flatMap(([table, all]) => (JSON.stringify([...all]).includes(text) ? [table] : []))
}

async function deleteNow(person: RegisteredUser): Promise<void> {
  good(await person.call(privacy.deleteAccount, { password: person.password }))
  server.clock.advance(14 * DAY + 1)
  await pruneAll(server.deps)
  await server.outbox()
}

test('no record contains the name of a person after the account is deleted', async () => {
  const owner = await registerConfirmedUser(server)
  const person = await registerConfirmedUser(server)
  const names = { first_name: 'Vladislava', last_name: 'Neponovljiva' }
  await server.store.db.updateTable('users').set(names).where('id', '=', person.user.id).execute()
  const organization = await createOrganization(server, owner)
  const { client_id } = await organization.app()
  good(await owner.call(clientAccess.setAccess, { id: client_id, mode: 'people', people: [person.email] }))
  for (const permission of ['member', 'developer'] as const) {
    const { id } = good(await owner.call(members.inviteMember, { email: person.email, permission }))
    good(await owner.call(members.removeMember, { id }))
  }
  await organization.grant(person, 'member')
  const [, member] = good(await owner.call(members.listMembers))
  const id = member?.id ?? ''
  good(await owner.call(members.changeLevel, { id, permission: 'analyst' }))
  good(await owner.call(members.removeMember, { id }))
  const shown = async () =>
    good(await owner.call(developers.listDeveloperActivity)).flatMap(({ type, params }) =>
      type.includes('MEMBER') || type === 'CHANGED_LEVEL' || type === 'WITHDREW_INVITATION'
        ? [[type, params.name]]
        : [],
    )
  const name = 'Vladislava Neponovljiva'
  const invited = [
    ['WITHDREW_INVITATION', person.email],
    ['INVITED_MEMBER', person.email],
  ]
  expect(await shown()).toEqual([['REMOVED_MEMBER', name], ['CHANGED_LEVEL', name], ...invited, ...invited])

  const logged = server.store.db
    .selectFrom('audit_events')
    .select('changes')
    .where('type', '=', 'client.access_changed')
  expect(JSON.parse((await logged.executeTakeFirst())?.changes ?? '')).toMatchObject({ people: ['', person.user.id] })

  await deleteNow(person)
  good(await owner.call(signIn.login, { username: owner.email, password: owner.password }))
  expect(await tablesWith(names.last_name)).toEqual([])
  expect(await tablesWith(person.email)).toEqual([])
  expect((await shown()).map(([, name]) => name)).toEqual(Array.from({ length: 6 }, () => undefined))
  // The rule stays: with an empty list nobody, and not everyone, may use the app.
  expect(good(await owner.call(clientAccess.getAccess, { id: client_id }))).toMatchObject({
    mode: 'people',
    people: [],
  })
})

test('an unconfirmed account removes no address from the list of an app', async () => {
  const owner = await registerConfirmedUser(server)
  const organization = await createOrganization(server, owner)
  const { client_id } = await organization.app()
  const email = 'pricakovana@example.com'
  good(await owner.call(clientAccess.setAccess, { id: client_id, mode: 'people', people: [email] }))
  good(await server.browser().call(signIn.register, { email, password: 'burja-nad-krasom-9' }))
  server.clock.advance(14 * DAY + 1)
  await pruneAll(server.deps)
  good(await owner.call(signIn.login, { username: owner.email, password: owner.password }))
  expect(good(await owner.call(clientAccess.getAccess, { id: client_id })).people).toEqual([email])
})
