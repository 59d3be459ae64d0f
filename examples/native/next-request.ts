import type { Server } from 'node:http'

/** How long somebody may take to sign in, in milliseconds. */
const PATIENCE = 10 * 60 * 1000

/** Waits for the browser to come to an address, tells the person something there, and closes the server. */
export function nextRequest(server: Server, address: string, words: string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(() => finish(() => reject(new Error('Nobody signed in.'))), PATIENCE)
    function finish(then: () => void) {
      clearTimeout(waiting)
      server.close()
      then()
    }
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', address)
      if (url.pathname !== new URL(address).pathname) return response.writeHead(404).end()
      const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>${words}</title><p>${words}</p>`
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(page)
      finish(() => resolve(url))
    })
  })
}
