import { afterAll, describe, expect, test } from 'vitest'
import { type House, openHouse } from '../../test/house.ts'

const open: House[] = []
afterAll(async () => {
  for (const house of open) await house.close()
})

async function asks(url: string, headers: Record<string, string>): Promise<number> {
  const house = await openHouse({ VRATA_URL: url })
  open.push(house)
  return (await house.app.inject({ url: '/mailbox', headers })).statusCode
}

describe('the mailbox, whose links open accounts', () => {
  test('shows itself at this machine, and to nobody who comes from elsewhere or by another name', async () => {
    expect(await asks('http://localhost:3000', { host: 'localhost:3000' })).toBe(200)
    expect(await asks('http://localhost:3000', { host: 'localhost:3000', 'x-forwarded-for': '192.0.2.1' })).toBe(404)
    expect(await asks('http://localhost:3000', { host: 'evil.example' })).toBe(404)
  })

  test('is not there in a public house: a proxy that says nothing of whom it speaks for looks like this machine', async () => {
    expect(await asks('https://accounts.example', { host: '127.0.0.1:3000' })).toBe(404)
  })
})
