import { connect, type Socket } from 'node:net'
import type { Workload } from './workloads.ts'

/** Callback of a connection that waits for its response; its argument says whether the status was 200. */
type Answered = (succeeded: boolean) => void

/**
 * Sends one GET request again and again, without an HTTP client: it keeps a core of Fastify busy, with some 90,000 requests a second. With the client of
 * `Browser`, which manages a third of that, Fastify waited in between, and needed up to 1.7 times the CPU time for a request. The response must come in
 * one piece.
 */
export const oneRequest: Workload = async ({ url }) => {
  const { hostname, host, port } = new URL(url)
  const request = Buffer.from(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  const free: { socket: Socket; answered: Answered }[] = []

  function open(answered: Answered) {
    const socket = connect(Number(port), hostname)
    const connection = { socket, answered }
    socket.on('data', (response: Buffer) => {
      free.push(connection)
      connection.answered(response.toString('latin1', 9, 12) === '200')
    })
    socket.on('error', () => connection.answered(false))
    // Unused connections of an ended round do not keep the process running.
    socket.setNoDelay(true).unref().write(request)
  }

  return () =>
    new Promise((resolve) => {
      const connection = free.pop()
      if (!connection) return open(resolve)
      connection.answered = resolve
      connection.socket.write(request)
    })
}
