/**
 * A single-page app with "Sign in with Vrata" in a popup; this program only serves its files. Register a single-page app with
 * the redirect URI http://localhost:4001/ and the origin http://localhost:4001, and allow sign-in in a popup.
 * Settings: CLIENT_ID, ISSUER (http://localhost:3000), PORT (4001).
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const { CLIENT_ID, ISSUER = 'http://localhost:3000', PORT = '4001' } = process.env
if (!CLIENT_ID) {
  console.error(`Register a single-page app at ${ISSUER}/developers: redirect URI http://localhost:${PORT}/, origin
http://localhost:${PORT}, sign-in in a popup allowed. Then:

  CLIENT_ID=… npm run example -- popup`)
  process.exit(1)
}

const FILES: Record<string, [file: string, type: string]> = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
}
// The content security policy allows the sign-in script and requests to Vrata, and no inline scripts.
const POLICY = `default-src 'self'; script-src 'self' ${ISSUER}; connect-src 'self' ${ISSUER}; style-src 'self'; img-src data:`

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', `http://localhost:${PORT}`)
  const [file, type] = FILES[url.pathname] ?? []
  if (!file) return response.writeHead(404).end()
  const content = await readFile(join(import.meta.dirname, file), 'utf8')
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': POLICY,
    // With ?isolated the page has no access to the windows that it opens; the sign-in works nevertheless.
    ...(url.searchParams.has('isolated') ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
  })
  response.end(content.replaceAll('{ISSUER}', ISSUER).replaceAll('{CLIENT_ID}', CLIENT_ID))
})
server.listen(Number(PORT), 'localhost', () => console.log(`The app is running at http://localhost:${PORT}/`))
