/**
 * A single-page app with `oidc-client-ts`; the app is page.js, this program only serves its files. Register a single-page app:
 * redirect URI http://localhost:4002/, origin http://localhost:4002, sign-out URL http://localhost:4002/.
 * Settings: CLIENT_ID, ISSUER (http://localhost:3000), PORT (4002).
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { CLIENT_ID, ISSUER = 'http://localhost:3000', PORT = '4002' } = process.env
const home = `http://localhost:${PORT}`
if (!CLIENT_ID) {
  console.error(`Register a single-page app at ${ISSUER}/developers: redirect URI ${home}/, origin ${home},
sign-out URL ${home}/. Then:

  CLIENT_ID=… npm run example -- single-page`)
  process.exit(1)
}

const here = (file: string) => new URL(file, import.meta.url)
const FILES: Record<string, [file: URL, type: string]> = {
  '/': [here('page.html'), 'text/html; charset=utf-8'],
  '/page.js': [here('page.js'), 'text/javascript; charset=utf-8'],
  // The browser bundle of the library; with a bundler, import it by its name.
  '/oidc-client-ts.js': [
    new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')),
    'text/javascript; charset=utf-8',
  ],
}
// Scripts of this origin, and requests to Vrata.
const POLICY = `default-src 'none'; script-src 'self'; connect-src ${ISSUER}; img-src data:`

const server = createServer(async (request, response) => {
  const [file, type] = FILES[new URL(request.url ?? '/', home).pathname] ?? []
  if (!file) return response.writeHead(404).end()
  const text = await readFile(file, 'utf8')
  response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY })
  response.end(text.replaceAll('{ISSUER}', ISSUER).replaceAll('{CLIENT_ID}', CLIENT_ID))
})
server.listen(Number(PORT), 'localhost', () => console.log(`The app is running at ${home}/`))
