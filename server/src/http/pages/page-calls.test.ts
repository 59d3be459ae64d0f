import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PageCalls } from './page-calls.ts'

const config = { url: 'https://vrata.example', api_url: 'https://api.vrata.example' }
const ANSWER = { status: 'success' }
let app: FastifyInstance
const seen: FastifyRequest['headers'][] = []

beforeAll(async () => {
  app = Fastify({ trustProxy: true })
  app.get('/v1/account', async (request) => {
    seen.push(request.headers)
    return { ...ANSWER, ip: request.ip }
  })
  app.put('/v1/auth/refresh', async (_, reply) => {
    reply.header('set-cookie', ['access=new%3D1; Path=/', 'gone=; Max-Age=0'])
    return ANSWER
  })
  app.delete('/v1/account', async () => ANSWER)
  await app.ready()
})
afterAll(() => app.close())

function calls() {
  const headers = { cookie: 'access=old; gone=x', 'user-agent': 'Browser', 'x-forwarded-for': '192.0.2.7', te: 'x' }
  return new PageCalls(app, config, { headers, socket: {} } as unknown as FastifyRequest)
}

describe('calls of a page that the server renders', () => {
  test('come from the user, the browser and the address of the document', async () => {
    const answer = await calls().fetch('https://api.vrata.example/v1/account')
    expect(await answer.json()).toEqual({ ...ANSWER, ip: '192.0.2.7' })
    expect(seen.at(-1)).toMatchObject({ cookie: 'access=old; gone=x', 'user-agent': 'Browser', origin: config.url })
    expect(seen.at(-1)).not.toHaveProperty('te')
  })

  test('use cookies that an answer sets, and keep them for the browser', async () => {
    const page = calls()
    await page.fetch('https://api.vrata.example/v1/auth/refresh', { method: 'PUT' })
    await page.fetch('https://api.vrata.example/v1/account')
    expect(seen.at(-1)).toMatchObject({ cookie: 'access=new%3D1; gone=' })
    expect(page.setCookies).toEqual(['access=new%3D1; Path=/', 'gone=; Max-Age=0'])
  })

  test.each([
    ['DELETE', 'https://api.vrata.example/v1/account'],
    ['PUT', 'https://api.vrata.example/v1/account'],
    ['GET', 'https://other.example/v1/account'],
    ['GET', 'https://vrata.example/metrics'],
  ])('reject %s %s', async (method, url) => {
    await expect(calls().fetch(url, { method })).rejects.toThrow('not for a page that the server renders')
  })
})
