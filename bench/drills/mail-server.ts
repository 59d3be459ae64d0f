import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer, type SecureContextOptions, type Server as TlsServer } from 'node:tls'

/** An SMTP server on loopback that writes what it receives into a folder, as Vrata does without a mail server. */
export class MailServer {
  readonly outbox = join(mkdtempSync(join(tmpdir(), 'vrata-mails-')), 'outbox')
  /** Accepts connections and never answers. */
  isSilent = false
  /** Addresses of received mails, in their order. */
  readonly received: string[] = []
  connections = 0
  readonly #sockets = new Set<Socket>()
  readonly #server: Server | TlsServer

  /** With a certificate the server uses TLS from the first byte. */
  constructor(certificate?: SecureContextOptions) {
    mkdirSync(this.outbox)
    const serve = (socket: Socket) => this.#serve(socket)
    this.#server = certificate ? createTlsServer(certificate, serve) : createServer(serve)
  }

  /** Resolves with its port. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** New connections get another certificate. */
  present(certificate: SecureContextOptions): void {
    ;(this.#server as TlsServer).setSecureContext(certificate)
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #serve(socket: Socket): void {
    this.connections += 1
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    const answer = (line: string) => {
      if (!this.isSilent) socket.write(`${line}\r\n`)
    }
    answer('220 mail.example ESMTP')
    let rest = ''
    let mail: string[] | undefined
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (mail && line !== '.') mail.push(line)
        else if (mail) {
          if (!this.isSilent) this.#keep(mail)
          mail = undefined
          answer('250 received')
        } else if (/^DATA$/i.test(line)) {
          mail = []
          answer('354 go on')
        } else if (/^QUIT$/i.test(line)) socket.end('221 bye\r\n')
        else answer('250 mail.example')
      }
    })
  }

  #keep(lines: string[]): void {
    writeFileSync(join(this.outbox, `${String(this.received.length).padStart(6, '0')}.eml`), lines.join('\n'))
    this.received.push(lines.find((line) => line.startsWith('To: '))?.slice(4) ?? '')
  }
}
