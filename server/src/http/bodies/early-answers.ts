import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { hasBody } from './slow-requests.ts'

/** How much of the rest of a body is read after the answer, in bytes, and for how long, in milliseconds. */
export const REST = { bytes: 32 * 1024 * 1024, milliseconds: 5000, check: 100 }

/**
 * Reads on when a request was answered before its whole body had arrived, for example with 413. A socket that is closed while it has unread
 * bytes is reset, and a client that is still sending then loses the answer (RFC 9112 §9.6, decision 0083). Beyond the limits the connection is closed.
 */
export function readRestOfBodies(app: FastifyInstance, rest = REST): void {
  app.addHook('onRequest', (request, _, done) => {
    const { socket } = request.raw
    // Injected requests have no socket.
    if (hasBody(request) && socket instanceof Socket) readingFrom(socket, request.raw)
    done()
  })
  app.addHook('onResponse', ({ raw }, _, done) => {
    if (raw.complete === false && raw.socket instanceof Socket) readRest(raw, rest)
    done()
  })
}

/** The last request with a body that came over a connection. */
const REQUEST = Symbol('request')
type Reading = Socket & { [REQUEST]?: IncomingMessage }

function readingFrom(socket: Reading, raw: IncomingMessage): void {
  socket[REQUEST] = raw
  socket.destroySoon = destroySoon
}

/** Node.js calls this after an answer with `Connection: close`. A function for each request would keep it for long (decision 0130). */
function destroySoon(this: Reading): void {
  const raw = this[REQUEST]
  if (!raw || raw.complete) return void Socket.prototype.destroySoon.call(this)
  this.end()
  raw.once('end', () => this.destroy())
}

function readRest(raw: IncomingMessage, { bytes, milliseconds, check }: typeof REST): void {
  const { socket } = raw
  const [from, until] = [socket.bytesRead, performance.now() + milliseconds]
  // A reader of its first part may have paused it.
  raw.unpipe()
  raw.resume()
  const timer = setInterval(() => {
    if (raw.complete || socket.destroyed) clearInterval(timer)
    else if (socket.bytesRead - from > bytes || performance.now() > until) socket.destroy()
  }, check).unref()
}
