import { LOCALES } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { samples } from '../../adapters/mail/templates/samples.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const look = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'GET', url, headers: { host: 'localhost:3000', ...headers } })

test.each(Object.keys(samples('http://localhost', new Date())))(
  'every word of the mail %s is there in every language',
  async (name) => {
    expect((await look('/mailbox/templates')).body).toContain(`/mailbox/templates/${name}/sl-SI`)
    const pages = await Promise.all(LOCALES.map((locale) => look(`/mailbox/templates/${name}/${locale}`)))
    for (const { statusCode, body } of pages) {
      expect(statusCode).toBe(200)
      expect(body).toContain('Vrata')
      expect(body).not.toMatch(new RegExp(`undefined|mail\\.${name}|${name}\\.(subject|text)`))
    }
    expect(new Set(pages.map(({ body }) => body)).size).toBe(LOCALES.length)
  },
)

test('metrics are not public', async () => {
  expect((await look('/mailbox/templates', { host: 'evil.example' })).statusCode).toBe(404)
  expect((await look('/mailbox/templates/new_device/en-US', { 'x-forwarded-for': '10.1.1.1' })).statusCode).toBe(404)
  expect((await look('/mailbox/templates/toString/en-US')).statusCode).toBe(404)
  expect((await look('/mailbox/templates/new_device/de-DE')).statusCode).toBe(404)
})
