/**
 * A single-page app with `oidc-client-ts`: everything happens in page.js, this only hands out its files. Register a
 * single-page app: redirect URI http://localhost:4002/, origin http://localhost:4002, address after signing out
 * http://localhost:4002/. Settings: CLIENT_ID, ISSUER (http://localhost:3000), PORT (4002).
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { CLIENT_ID, ISSUER = 'http://localhost:3000', PORT = '4002' } = process.env
const home = `http://localhost:${PORT}`
if (!CLIENT_ID) {
  console.error(`Register a single-page app at ${ISSUER}/developers: redirect URI ${home}/, origin ${home},
address after signing out ${home}/. Then:

  CLIENT_ID=… npm run example -- single-page`)
  process.exit(1)
}

const here = (file: string) => new URL(file, import.meta.url)
const FILES: Record<string, [file: URL, type: string]> = {
  '/': [here('page.html'), 'text/html; charset=utf-8'],
  '/page.js': [here('page.js'), 'text/javascript; charset=utf-8'],
  // The library as one file for browsers; a bundler would find it by its name.
  '/oidc-client-ts.js': [
    new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')),
    'text/javascript; charset=utf-8',
  ],
}
// The page may run its own scripts, and ask Vrata.
const POLICY = `default-src 'none'; script-src 'self'; connect-src ${ISSUER}; img-src data:`

const server = createServer(async (request, response) => {
  const [file, type] = FILES[new URL(request.url ?? '/', home).pathname] ?? []
  if (!file) return response.writeHead(404).end()
  const text = await readFile(file, 'utf8')
  response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY })
  response.end(text.replaceAll('{ISSUER}', ISSUER).replaceAll('{CLIENT_ID}', CLIENT_ID))
})
server.listen(Number(PORT), 'localhost', () => console.log(`The page is open at ${home}/`))
