import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, activity, auth } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, newcomer } from '../../../test/newcomer.ts'
import { writePlaces } from '../../../test/place-file.ts'
import { good } from '../../../test/second-factor.ts'

const folder = mkdtempSync(join(tmpdir(), 'vrata-places-'))
let house: House
beforeAll(async () => {
  const file = join(folder, 'places.mmdb')
  writePlaces(file, {
    '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' },
    '2a05:4f46::/32': { city: 'Split', country: 'HR' },
  })
  house = await openHouse({ VRATA_GEOIP_FILE: file })
})
afterAll(async () => {
  await house?.close()
  rmSync(folder, { recursive: true })
})

test('devices, activity and the mail about a new device tell the place, in the language of whoever reads', async () => {
  const ana = await newcomer(house, { ip: '89.142.3.4', language: 'sl-SI' })
  await ana.call(account.updateAccount, { language: ['sl-SI'] })
  house.clock.advance(60)
  const away = await elsewhere(house, ana, { ip: '2a05:4f46:7::1', language: 'en-US' })
  house.clock.advance(60)
  await elsewhere(house, ana, { ip: '192.0.2.1' })

  expect(good(await ana.call(auth.listSessions)).map(({ ip, location }) => [ip, location])).toEqual([
    ['89.142.3.4', 'Ljubljana, Slovenija'],
    ['192.0.2.1', null],
    ['2a05:4f46:7::1', 'Split, Hrvaška'],
  ])
  const entries = good(await away.call(activity.listActivity, { type: 'LOGGED_IN' }))
  expect(entries.map(({ ip, location }) => [ip, location])).toEqual([
    ['192.0.2.1', null],
    ['2a05:4f46:7::1', 'Split, Croatia'],
  ])
  const told = (await lettersTo(house, ana.email)).filter(({ link }) => link.endsWith('/devices'))
  expect(told.map(({ text }) => text.includes('Split, Hrvaška'))).toEqual([true, false])
})
