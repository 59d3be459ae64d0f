import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createOrganization } from '../../test/organization.ts'
import { jadrolet, people } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { giveRegistrationToken } from './registration-token.ts'

let server: TestServer
let developer_id: string
beforeAll(async () => {
  server = await startTestServer({ VRATA_CLIENT_REGISTRATION: 'on' })
  developer_id = (await createOrganization(server, await server.as(people.ana))).developer_id
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

/** The command beside the running server, with what it prints. */
async function command(...args: string[]) {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  vi.spyOn(console, 'log').mockImplementation((line) => void stdout.push(line))
  vi.spyOn(console, 'error').mockImplementation((line) => void stderr.push(line))
  await giveRegistrationToken(server.config, args)
  return { token: stdout.join(), stderr: stderr.join() }
}

test('the command prints a token only to stdout, which registers the given number of clients', async () => {
  const { token, stderr } = await command(developer_id, people.ana.email, '--uses', '2')
  expect(token).toMatch(/^vrti_[\w-]{43}$/)
  expect(stderr).toBe('Valid for 2 apps and 1 day.')
  const headers = { authorization: `Bearer ${token}` }
  const payload = { redirect_uris: [jadrolet.redirect_uri] }
  const register = () => server.app.inject({ method: 'POST', url: '/register-client', headers, payload })
  const statuses = [await register(), await register(), await register()].map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([201, 201, 401])
})

test('the command reports missing arguments and unknown members', async () => {
  await expect(command(developer_id)).rejects.toThrow('the email of a member')
  await expect(command(developer_id, people.ana.email, '--uses', '0')).rejects.toThrow('--uses must be')
  await expect(command(developer_id, people.bor.email)).rejects.toThrow('may not register apps')
})
