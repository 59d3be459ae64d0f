import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { recordUrl } from './main.ts'

test('a server warns of an address that differs from that of the server before', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const start = async (url: string) => {
    const said: unknown[] = []
    const log = { ...server.deps.log, warn: (message: unknown) => void said.push(message) }
    await recordUrl({ config: { ...server.config, url }, log }, server.store)
    return said
  }
  expect(await start('https://id.example.com')).toEqual([])
  expect(await start('https://id.example.com')).toEqual([])
  const says = 'VRATA_URL is https://id.example.net, and it was https://id.example.com'
  expect(await start('https://id.example.net')).toEqual([expect.stringContaining(says)])
  expect(await start('https://id.example.net')).toEqual([])
})
