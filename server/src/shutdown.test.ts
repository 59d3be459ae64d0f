import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { testEngine } from '../test/databases/template-db.ts'
import { spawnServer, startServerProcess } from '../test/processes/server-process.ts'

/** The database makes no difference. */
const onSqlite = test.runIf(testEngine === 'sqlite')

onSqlite(
  'SIGTERM makes /readyz fail while requests are answered; a second signal ends the process at once',
  async () => {
    const { port, kill, exit } = await startServerProcess({ VRATA_DRAIN_SECONDS: '300' })
    const agent = new Agent({ keepAlive: true })
    expect((await get(port, '/healthz', agent)).connection).toBe('keep-alive')
    kill('SIGTERM')
    await expect.poll(async () => (await get(port, '/readyz')).text).toContain('"problems":["draining"]')
    // The connection from before ends with its next answer, so that the proxy opens one to another server.
    expect(await get(port, '/healthz', agent)).toMatchObject({ status: 200, connection: 'close' })
    expect(await get(port, '/healthz')).toMatchObject({ status: 200, connection: 'close' })
    kill('SIGTERM')
    expect(await exit).toBe(1)
  },
)

onSqlite.each([
  { signal: 'SIGTERM', seconds: '0' },
  { signal: 'SIGINT', seconds: '300' },
] as const)(
  'after $signal with $seconds seconds to drain, listening ends and a request that is under way is answered',
  async ({ signal, seconds }) => {
    const { port, kill, exit } = await startServerProcess({ VRATA_DRAIN_SECONDS: seconds })
    const headers = { 'content-type': 'application/json', 'content-length': 2, origin: `http://localhost:${port}` }
    const sent = request({ host: 'localhost', port, path: '/v1/auth/login', method: 'POST', headers })
    const answered = once(sent, 'response')
    sent.write('{')
    const [socket] = await once(sent, 'socket')
    if (socket.connecting) await once(socket, 'connect')
    // The server has read these headers once it answers a later request.
    await get(port, '/healthz')
    kill(signal)
    await expect.poll(() => accepts(port)).toBe(false)
    sent.end('}')
    const [answer] = await answered
    expect(answer.statusCode).toBe(400)
    answer.resume()
    expect(await exit).toBe(0)
  },
)

onSqlite('a connection without a request, which browsers open in advance, does not delay the end', async () => {
  const { port, kill, exit } = await startServerProcess({ VRATA_DRAIN_SECONDS: '0' })
  const connection = connect(port, 'localhost')
  await once(connection, 'connect')
  kill('SIGTERM')
  expect(await exit).toBe(0)
})

onSqlite('SIGTERM as soon as the port is open closes the server, too', async () => {
  const { port, kill, exit } = await spawnServer({ VRATA_DRAIN_SECONDS: '0' })
  // Without a pause: some milliseconds after the first connection, all of the start is done.
  while (!(await accepts(port)));
  kill('SIGTERM')
  expect(await exit).toBe(0)
})

async function get(port: number, path: string, agent?: Agent) {
  const sent = request({ host: 'localhost', port, path, agent }).end()
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer) text += chunk
  return { status: answer.statusCode, text, connection: answer.headers.connection }
}

/** Whether something listens on the port. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost')
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  return await connected.finally(() => socket.destroy())
}
