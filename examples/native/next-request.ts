import type { Server } from 'node:http'

/** Time limit of the sign-in, in milliseconds. */
const TIMEOUT = 10 * 60 * 1000

/** Waits for a request to a URL, answers it with a message to the user, and closes the server. Rejects after ten minutes. */
export function nextRequest(server: Server, expected: string, message: string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error('The sign-in timed out.'))), TIMEOUT)
    function finish(then: () => void) {
      clearTimeout(timer)
      server.close()
      then()
    }
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', expected)
      if (url.pathname !== new URL(expected).pathname) return response.writeHead(404).end()
      const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>${message}</title><p>${message}</p>`
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(page)
      finish(() => resolve(url))
    })
  })
}
