import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from '../../test/house.ts'

let open: House
let closed: House
beforeAll(async () => {
  open = await openHouse()
  closed = await openHouse({ VRATA_METRICS_TOKEN: 'prometheus-may-come-in' })
})
afterAll(async () => {
  await open.close()
  await closed.close()
})

const ask = (house: House, headers: Record<string, string> = {}) =>
  house.app.inject({ url: '/metrics', headers: { host: 'localhost:3000', ...headers } })

test('§8 this machine reads how requests ended, by route and never by address', async () => {
  await open.app.inject({ url: '/v1/auth/forgot-password/a-secret-token', headers: { host: 'localhost:3000' } })
  const answer = await ask(open)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('route="/v1/auth/forgot-password/:token",status="400"')
  expect(answer.body).not.toContain('a-secret-token')
})

test.each([
  ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ['by another name', { host: 'accounts.example.com' }],
])('there is no such page %s', async (_, headers) => {
  expect((await ask(open, headers)).statusCode).toBe(404)
})

test('with a token, only whoever holds it', async () => {
  expect((await ask(closed)).statusCode).toBe(404)
  expect((await ask(closed, { authorization: 'Bearer something else' })).statusCode).toBe(404)
  expect((await ask(closed, { authorization: 'Bearer prometheus-may-come-in' })).statusCode).toBe(200)
})
