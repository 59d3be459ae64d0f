import { readdir } from 'node:fs/promises'
import { clients, connections, developers, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { fileOf, halves, inspectPicture } from '../../../test/pictures.ts'
import { tabOf } from '../../../test/registered-user.ts'
import { beforeTransaction, type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const look = (file: string) =>
  server.browser().request({ method: 'GET', url: `/v1/media/${file}`, headers: { origin: '' } })
const gone = (file: string) => expect.poll(async () => (await look(file)).statusCode).toBe(404)

async function logo(): Promise<string> {
  const answer = await ana.call(developers.setLogo, { logo: fileOf(await halves('png')) })
  if (!answer.ok || !answer.data.logo) throw new Error(`rejected: ${JSON.stringify(answer)}`)
  return answer.data.logo
}

async function icon(id: string): Promise<string> {
  const answer = await ana.call(clients.setIcon, { id, icon: fileOf(await halves('png')) })
  if (!answer.ok || !answer.data.icon) throw new Error(`rejected: ${JSON.stringify(answer)}`)
  return answer.data.icon
}

describe('a picture that is on its way', () => {
  const send = async (person: SignedIn) => await person.call(developers.setLogo, { logo: fileOf(await halves('png')) })

  test('is not set for a member who loses the level meanwhile, nor in a session that ends', async () => {
    const owner = await server.as(people.cvetka)
    const bor = await server.as(people.bor)
    const organization = await createOrganization(server, owner)
    await organization.join(bor, 'admin')
    beforeTransaction(server, () => organization.grant(bor, 'member'))
    expect(await send(bor)).toMatchObject({ http: 403, problem: { code: 'insufficient_level' } })
    await organization.grant(bor, 'admin')
    const { id: user_id, session_id } = bor.user
    const end = () =>
      server.deps.transaction((deps) => deps.revoke('signed_out', { user_id, session_ids: [session_id] }))
    beforeTransaction(server, end)
    expect(await send(bor)).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
    expect(await owner.call(developers.getDeveloper)).toMatchObject({ data: { logo: null } })
  })

  test('is set when another tab refreshes the session meanwhile', async () => {
    const owner = await server.as(people.cvetka)
    await createOrganization(server, owner)
    beforeTransaction(server, () => tabOf(server, owner).call(sessions.refresh, {}))
    expect(await send(owner)).toMatchObject({ ok: true })
  })
})

describe('logos and icons', () => {
  test('are not cropped; a new one replaces the old one and deletes its files', async () => {
    ana = await server.as(people.ana)
    const app = await (await createOrganization(server, ana)).app()
    const first = { logo: await logo(), icon: await icon(app.client_id) }
    // The picture is twice as wide as high; the space above and below it is transparent.
    expect(await inspectPicture((await look(first.icon)).rawPayload)).toMatchObject({
      width: 512,
      left: 'red',
      right: 'blue',
    })
    await allow(ana, app)
    expect(await ana.call(connections.listConnections)).toMatchObject({
      data: [{ client: { icon: first.icon, developer: { logo: first.logo } } }],
    })
    expect(await ana.call(clients.listClients)).toMatchObject({ data: [{ icon: first.icon }] })

    const second = { logo: await logo(), icon: await icon(app.client_id) }
    await gone(first.logo)
    await gone(first.icon)
    expect(await ana.call(developers.removeLogo)).toMatchObject({ data: { logo: null } })
    expect(await ana.call(clients.removeIcon, { id: app.client_id })).toMatchObject({ data: { icon: null } })
    await gone(second.logo)
    await gone(second.icon)
  })

  test('are deleted with the client and with the developer account', async () => {
    ana = await server.as(people.bor)
    const organization = await createOrganization(server, ana, 'Začasni')
    const [one, other] = [await organization.app(), await organization.app({ name: 'Burja' })]
    const files = { logo: await logo(), one: await icon(one.client_id), other: await icon(other.client_id) }
    expect(await ana.call(clients.deleteClient, { id: one.client_id })).toMatchObject({ ok: true })
    await gone(files.one)
    expect((await look(files.other)).statusCode).toBe(200)
    expect(await ana.call(developers.deleteDeveloper, { name: 'Začasni' })).toMatchObject({ ok: true })
    await gone(files.other)
    await gone(files.logo)
  })

  test('reject files that are not pictures', async () => {
    ana = await server.as(people.cvetka)
    const app = await (await createOrganization(server, ana)).app()
    const svg = fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect(await ana.call(developers.setLogo, { logo: svg })).toMatchObject({
      problem: { fields: { logo: 'svg_refused' } },
    })
    expect(await ana.call(clients.setIcon, { id: app.client_id, icon: svg })).toMatchObject({
      problem: { fields: { icon: 'svg_refused' } },
    })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: { logo: null } })
  })

  test('reject a client of another developer account before the file is decoded', async () => {
    ana = await server.as(people.drago)
    const app = await (await createOrganization(server, ana)).app()
    await createOrganization(server, ana, 'Druga')
    const files = await readdir(server.config.data_dir, { recursive: true })
    expect(await ana.call(clients.setIcon, { id: app.client_id, icon: fileOf(await halves('png')) })).toMatchObject({
      http: 404,
    })
    expect(await readdir(server.config.data_dir, { recursive: true })).toEqual(files)
  })
})
