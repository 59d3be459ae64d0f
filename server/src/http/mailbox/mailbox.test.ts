import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

const open: TestServer[] = []
afterAll(async () => {
  for (const server of open) await server.close()
})

async function asks(url: string, headers: Record<string, string>): Promise<number> {
  const server = await startTestServer({ VRATA_URL: url })
  open.push(server)
  return (await server.app.inject({ url: '/mailbox', headers })).statusCode
}

describe('the mailbox', () => {
  test('answers requests from this machine to a loopback name only', async () => {
    expect(await asks('http://localhost:3000', { host: 'localhost:3000' })).toBe(200)
    expect(await asks('http://localhost:3000', { host: 'localhost:3000', 'x-forwarded-for': '192.0.2.1' })).toBe(404)
    expect(await asks('http://localhost:3000', { host: 'evil.example' })).toBe(404)
  })

  test('does not exist with a public URL, where a proxy can look like a local client', async () => {
    expect(await asks('https://accounts.example', { host: '127.0.0.1:3000' })).toBe(404)
  })
})
