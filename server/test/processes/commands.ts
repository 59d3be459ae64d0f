import { onTestFinished, vi } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { checkSecret } from '../../src/main.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

/** A server whose secret is known to its database, as commands check; closed after the test. */
export async function startForCommands(): Promise<TestServer> {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  await checkSecret(server.deps, server.store)
  return server
}

export type Command = (config: Config, args: string[]) => Promise<void>

/** Runs a command beside the server; resolves with what it prints. The caller restores all mocks after each test. */
export async function runCommand(server: TestServer, command: Command, ...args: string[]): Promise<string> {
  const lines: string[] = []
  const keep = (text: unknown) => lines.push(String(text)) > 0
  vi.spyOn(console, 'log').mockImplementation(keep)
  vi.spyOn(console, 'error').mockImplementation(keep)
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  await command(server.config, args)
  return lines.join('\n')
}
