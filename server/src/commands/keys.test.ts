import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'
import { listSigningKeys, revokeSigningKeys, rotateSigningKeys } from './keys.ts'

afterEach(() => vi.restoreAllMocks())

test('keys are listed without the key itself, rotated and revoked beside a running server', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const printed = async (command: () => Promise<void>) => {
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    await command()
    return lines
  }
  const list = () => printed(() => listSigningKeys(server.config))
  const before = await list()
  expect(before).toHaveLength(6)
  for (const line of before)
    expect(line).toMatch(/^[\w-]{43} {2}((ES256|RS256) .* published|EdDSA .* private) +since 20\d\d-/)
  await printed(() => rotateSigningKeys(server.config))
  expect(await list()).toHaveLength(9)
  const kid = before[0]?.slice(0, 43) as string
  await printed(() => revokeSigningKeys(server.config, [kid]))
  expect((await list()).join()).not.toContain(kid)
  await expect(revokeSigningKeys(server.config, [kid])).rejects.toThrow(`no signing key ${kid}`)
  // Every 64th id begins with a dash.
  const dashed = '-'.padEnd(43, 'x')
  await expect(revokeSigningKeys(server.config, [dashed])).rejects.toThrow(`no signing key ${dashed}`)
  for (const none of [[], ['']]) await expect(revokeSigningKeys(server.config, none)).rejects.toThrow('Give the ids')
})
