import { readdir } from 'node:fs/promises'
import { clients, connections, developers } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { fileOf, halves, seen } from '../../../test/pictures.ts'
import { allow } from '../../../test/third-party.ts'

let house: House
let ana: SignedIn
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

const look = (file: string) =>
  house.visitor().request({ method: 'GET', url: `/v1/media/${file}`, headers: { origin: '' } })
const gone = (file: string) => expect.poll(async () => (await look(file)).statusCode).toBe(404)

async function logo(): Promise<string> {
  const answer = await ana.call(developers.setLogo, { logo: fileOf(await halves('png')) })
  if (!answer.ok || !answer.data.logo) throw new Error(`refused: ${JSON.stringify(answer)}`)
  return answer.data.logo
}

async function icon(id: string): Promise<string> {
  const answer = await ana.call(clients.setIcon, { id, icon: fileOf(await halves('png')) })
  if (!answer.ok || !answer.data.icon) throw new Error(`refused: ${JSON.stringify(answer)}`)
  return answer.data.icon
}

describe('§5 the logo of an organisation and the icons of its apps', () => {
  test('are shown whole, where people look; a new one takes the place of the old, whose files go', async () => {
    ana = await house.as(people.ana)
    const app = await (await openOrganisation(house, ana)).app()
    const first = { logo: await logo(), icon: await icon(app.client_id) }
    // Twice as wide as high: nothing is cut off, and what is above and below is clear.
    expect(await seen((await look(first.icon)).rawPayload)).toMatchObject({ width: 512, left: 'red', right: 'blue' })
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

  test('go with the app, and with the organisation', async () => {
    ana = await house.as(people.bor)
    const organisation = await openOrganisation(house, ana, 'Začasni')
    const [one, other] = [await organisation.app(), await organisation.app({ name: 'Burja' })]
    const files = { logo: await logo(), one: await icon(one.client_id), other: await icon(other.client_id) }
    expect(await ana.call(clients.deleteClient, { id: one.client_id })).toMatchObject({ ok: true })
    await gone(files.one)
    expect((await look(files.other)).statusCode).toBe(200)
    expect(await ana.call(developers.deleteDeveloper, { name: 'Začasni' })).toMatchObject({ ok: true })
    await gone(files.other)
    await gone(files.logo)
  })

  test('are pictures: anything else is refused by its field, and nothing changes', async () => {
    ana = await house.as(people.cvetka)
    const app = await (await openOrganisation(house, ana)).app()
    const svg = fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect(await ana.call(developers.setLogo, { logo: svg })).toMatchObject({
      problem: { fields: { logo: 'svg_refused' } },
    })
    expect(await ana.call(clients.setIcon, { id: app.client_id, icon: svg })).toMatchObject({
      problem: { fields: { icon: 'svg_refused' } },
    })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ data: { logo: null } })
  })

  test('of an app elsewhere is not even looked at', async () => {
    ana = await house.as(people.drago)
    const app = await (await openOrganisation(house, ana)).app()
    await openOrganisation(house, ana, 'Druga')
    const files = await readdir(house.config.data_dir, { recursive: true })
    expect(await ana.call(clients.setIcon, { id: app.client_id, icon: fileOf(await halves('png')) })).toMatchObject({
      http: 404,
    })
    expect(await readdir(house.config.data_dir, { recursive: true })).toEqual(files)
  })
})
