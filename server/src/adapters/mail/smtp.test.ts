import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { outputOf } from '../../../test/processes/output-of.ts'
import { GiveUp } from '../jobs/runner.ts'
import type { OutgoingMail } from './mail.ts'
import { smtpMailer } from './smtp.ts'
import { connectionTo } from './smtp-url.ts'

const MAIL: OutgoingMail = {
  message_id: '<job-1@accounts.example.com>',
  to: 'ana@example.com',
  subject: 'Potrdite svoj e-naslov — č š ž',
  text: 'plain',
  html: '<p>html</p>',
  link: 'https://accounts.example.com/x',
}
const NEVER = new AbortController().signal
const SHORT = { connectionTimeout: 500, greetingTimeout: 500, socketTimeout: 500, dnsTimeout: 500 }

/** A mail server on a free port with these options; returns a mailer that sends to it. */
async function openServer(options: SMTPServerOptions, onSocket: (socket: Socket) => void = () => {}, timeouts = {}) {
  const server = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], ...options })
  server.on('error', () => {})
  server.server.on('connection', onSocket)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return openMailer((server.server.address() as AddressInfo).port, timeouts)
}

function openMailer(port: number, timeouts = {}) {
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'Vrata <no-reply@example.com>', timeouts })
  onTestFinished(() => mailer.close())
  return mailer
}

function rejecting(responseCode: number): SMTPServerOptions {
  return { onRcptTo: (_address, _session, done) => done(Object.assign(new Error('refused'), { responseCode })) }
}

const sending = (mailer: ReturnType<typeof smtpMailer>) => mailer.send(MAIL, NEVER).catch((error: unknown) => error)

test('delivers a mail unchanged, with the same Message-ID at every attempt', async () => {
  const received: string[] = []
  const mailer = await openServer({
    onData: (stream, _session, done) =>
      void text(stream)
        .then((mail) => received.push(mail))
        .then(() => done()),
  })
  await mailer.send(MAIL, NEVER)
  await mailer.send(MAIL, NEVER)
  expect(received).toHaveLength(2)
  for (const mail of received) {
    expect(mail).toContain('Message-ID: <job-1@accounts.example.com>')
    expect(mail).toMatch(/^Subject: =\?UTF-8\?/m)
    expect(mail).toContain('\r\n\r\n<p>html</p>\r\n--')
  }
})

test('an unavailable server or a 4xx response leads to a retry', async () => {
  expect(await sending(openMailer(4109))).not.toBeInstanceOf(GiveUp)
  const later = await sending(await openServer(rejecting(451)))
  expect(later).toBeInstanceOf(Error)
  expect(later).not.toBeInstanceOf(GiveUp)
})

test('a 5xx response for the recipient is not retried', async () => {
  expect(await sending(await openServer(rejecting(550)))).toBeInstanceOf(GiveUp)
})

test('a 5xx response that an operator can put right, for the sender or because a login is missing, leads to a retry', async () => {
  const refuse = (responseCode: number) => (_: unknown, __: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error('refused'), { responseCode }))
  for (const options of [{ onMailFrom: refuse(550) }, { onMailFrom: refuse(530) }, { onRcptTo: refuse(530) }]) {
    const error = await sending(await openServer(options))
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(GiveUp)
  }
})

test('a server that hangs or disconnects during the content leads to a retry', async () => {
  const hanging = await openServer({ onMailFrom: () => {} }, () => {}, SHORT)
  expect(await sending(hanging)).toBeInstanceOf(Error)
  const sockets: Socket[] = []
  const cutting = await openServer(
    {
      onData: (stream) => {
        stream.resume()
        for (const socket of sockets) socket.destroy()
      },
    },
    (socket) => sockets.push(socket),
  )
  expect(await sending(cutting)).not.toBeInstanceOf(GiveUp)
})

test('an aborted attempt does not wait for a slow mail server', async () => {
  const mailer = await openServer({ onMailFrom: () => {} })
  await expect(mailer.send(MAIL, AbortSignal.timeout(50))).rejects.toThrow()
})

test('connections to other hosts require TLS', () => {
  expect(connectionTo('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false, requireTLS: true })
  expect(connectionTo('smtps://an%40a:p%2Fw@mail.example.com')).toMatchObject({
    port: 465,
    secure: true,
    auth: { user: 'an@a', pass: 'p/w' },
  })
  expect(connectionTo('smtp://relay:25?ignoreTLS=true')).toMatchObject({ port: 25, requireTLS: false, ignoreTLS: true })
  expect(connectionTo('smtp://127.0.0.1:1025')).toMatchObject({ port: 1025, requireTLS: false })
})

test('a mail is written although the code for the one before could not be loaded', async () => {
  const file = JSON.stringify(join(import.meta.dirname, 'mail-message.ts'))
  const program = `import { registerHooks } from 'node:module'
    let fails = true
    const load = (url, context, next) => {
      if (fails && url.includes('nodemailer')) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      return next(url, context)
    }
    registerHooks({ load })
    const { mailMessage } = await import(${file})
    const write = () => mailMessage(${JSON.stringify(MAIL)}, 'no-reply@example.com').then(({ raw }) => raw, ({ code }) => code)
    console.log(await write())
    fails = false
    console.log(await write())`
  const printed = await outputOf(program)
  expect(printed).toMatch(/^EMFILE\n/)
  expect(printed).toContain('Message-ID: <job-1@accounts.example.com>')
})
