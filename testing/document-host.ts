import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A certificate of `localhost` for tests. No program trusts it unless a test says so, as with `NODE_EXTRA_CA_CERTS`. */
export const LOCALHOST_CERTIFICATE = join(import.meta.dirname, 'localhost-certificate.pem')
const KEY = join(import.meta.dirname, 'localhost-key.pem')

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An https host on loopback that publishes documents, such as those that identify a client. */
export interface DocumentHost {
  origin: string
  /** Publishes a document at a path; members that are undefined are left out. */
  publish(path: string, document: object, headers?: Record<string, string>): string
  /** Answers a path in another way. */
  answer(path: string, answer: Answer): string
  /** Paths that were requested, in order. */
  requests: string[]
  close(): void
}

export async function startDocumentHost(): Promise<DocumentHost> {
  const answers = new Map<string, Answer>()
  const requests: string[] = []
  const server = createServer(
    { cert: readFileSync(LOCALHOST_CERTIFICATE), key: readFileSync(KEY) },
    (request, response) => {
      requests.push(request.url ?? '')
      const answer = answers.get(request.url ?? '')
      if (answer) answer(request, response)
      else response.writeHead(404).end()
    },
  ).listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`
  const answer = (path: string, given: Answer) => {
    answers.set(path, given)
    return origin + path
  }
  return {
    origin,
    answer,
    publish: (path, document, headers = {}) =>
      answer(path, (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(document))
      }),
    requests,
    close: () => server.close().closeAllConnections(),
  }
}
