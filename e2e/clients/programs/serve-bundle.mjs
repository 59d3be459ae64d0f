import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { CLIENT_ID, ISSUER, PORT } from './page.mjs'

/** Bundles a program that runs in the browser, and serves it with a page. */
export async function serveBundle(input) {
  const bundle = await rolldown({
    input: fileURLToPath(input),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const settings = `Object.assign(window, ${JSON.stringify({ ISSUER, CLIENT_ID })})`
  const html = `<!doctype html><meta charset="utf-8"><title>Client</title><link rel="icon" href="data:,"><body><script>${settings}</script><script type="module" src="/main.js"></script>`
  createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`)
    response.end(isScript ? output[0].code : html)
  }).listen(Number(PORT), 'localhost')
}
