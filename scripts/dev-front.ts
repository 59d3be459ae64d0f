import {
  request as ask,
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { ROOT } from './command.ts'

/** Paths that the bundler answers; everything else is the server's. */
const BUNDLED = /^\/(@|src\/|node_modules\/|build\/)/

/**
 * Stands before the server in development: sources of the pages come from the bundler, all else from the server, whose
 * documents get the sources in place of the built files. So data, languages and guards are the real ones.
 */
export async function openFront(behind: { host: string; port: number }): Promise<Server> {
  const front = createHttp((request, response) => {
    if (BUNDLED.test(request.url ?? '/')) vite.middlewares(request, response)
    else pass(request, response).catch((error: Error) => response.writeHead(503).end(`${error.message}\n`))
  })
  const vite = await createVite({
    configFile: join(ROOT, 'web/vite.config.ts'),
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server: front } },
  })

  // Sockets of the pages are the server's; the bundler's own have another path.
  front.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!request.url?.startsWith('/socket.io')) return
    const onward = ask({ ...behind, path: request.url, headers: request.headers })
    const end = () => void socket.destroy()
    socket.on('error', () => onward.destroy())
    onward.on('error', end).on('response', end)
    onward.on('upgrade', (answer, upstream, first) => {
      upstream.unshift(first)
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      upstream.on('error', end).on('close', end)
      socket.on('close', () => upstream.destroy())
      socket.pipe(upstream).pipe(socket)
    })
    onward.end()
    if (head.length) socket.unshift(head)
  })

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'accept-encoding': _, ...headers } = request.headers
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const onward = ask({ ...behind, method: request.method, path: request.url, headers }, resolve)
      onward.on('error', () => reject(new Error('The server is starting again; try in a moment.')))
      request.pipe(onward)
    })
    const status = answer.statusCode ?? 502
    const html = answer.headers['content-type']?.startsWith('text/html')
    const body = html && request.method === 'GET' ? await text(answer) : undefined
    if (!body?.includes('id="boot"')) {
      response.writeHead(status, answer.headers)
      if (body === undefined) answer.pipe(response)
      else response.end(body)
      return
    }
    // The policy names the built files by their hashes; the bundler's own scripts are others.
    const { 'content-security-policy': __, 'content-length': ___, ...kept } = answer.headers
    response.writeHead(status, kept).end(await withSources(vite, request.url ?? '/', body))
  }

  return front
}

function withSources(vite: ViteDevServer, url: string, html: string): Promise<string> {
  const bare = html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(/<script type="module"[^>]*><\/script>/, '<script type="module" src="/src/main.tsx"></script>')
    // Built HTML would not fit the sources once they change, so nothing is hydrated.
    .replace(/<div id="root"[^>]*>.*?<\/div>(?=<div id="failed">)/s, '<div id="root" data-skeleton></div>')
  return vite.transformIndexHtml(url, bare)
}
