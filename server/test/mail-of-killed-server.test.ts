import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { signIn } from '@vrata/contract'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { apiClient } from '../../testing/api-client.ts'
import { testEngine } from './databases/template-db.ts'
import { startServerProcess } from './processes/server-process.ts'
import { registerConfirmedUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import { startTestServer } from './test-server.ts'

test('the mail about a sign-in of a server that is killed before it is sent is sent by the next one', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const ana = await registerConfirmedUser(server)
  // Other mails are gone.
  await server.outbox()
  const mails = { begun: 0, received: [] as string[], isHanging: true }
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      mails.begun += 1
      const receive = (mail: string) => {
        if (mails.isHanging) return
        mails.received.push(mail)
        done()
      }
      // The server may be killed in the middle of the mail.
      text(stream).then(receive, () => undefined)
    },
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  const { database_url, secret, url: origin, data_dir } = server.config
  const settings = {
    ...(testEngine === 'sqlite' ? { VRATA_DATA_DIR: data_dir } : { VRATA_DATABASE_URL: database_url ?? '' }),
    VRATA_SECRET: secret,
    VRATA_URL: origin,
    VRATA_SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
  }
  const first = await startServerProcess(settings)
  const call = apiClient({ url: `http://localhost:${first.port}`, origin })
  good(await call(signIn.login, { username: ana.email, password: ana.password }))
  await expect.poll(() => mails.begun).toBe(1)
  first.kill('SIGKILL')
  await first.exit
  mails.isHanging = false
  await startServerProcess(settings)
  // The lease lasts 10 seconds, and a runner looks for jobs every 5.
  await expect.poll(() => mails.received.length, { timeout: 30_000 }).toBe(1)
  expect(mails.received[0]).toContain(`To: ${ana.email}`)
  const takenOver = () =>
    server.store.read.selectFrom('jobs').select(['attempts', 'done_at']).where('attempts', '>', 1).execute()
  await expect.poll(takenOver).toEqual([{ attempts: 2, done_at: expect.any(String) }])
})
