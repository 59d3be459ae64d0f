// oauth2-proxy with the settings that its documentation has for OpenID Connect, in front of a website that reads the headers.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { CLIENT_ID, CLIENT_SECRET, endSessionUrl, HOME, ISSUER, PORT, page } from '../page.mjs'

const website = createServer((request, response) => {
  const idToken = request.headers.authorization?.replace('Bearer ', '') ?? ''
  const { pathname } = new URL(request.url, HOME)
  if (pathname === '/renew') return response.writeHead(303, { location: '/' }).end()
  if (pathname === '/sign-out') {
    const query = new URLSearchParams({ rd: endSessionUrl(idToken) })
    return response.writeHead(303, { location: `/oauth2/sign_out?${query}` }).end()
  }
  const { name } = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url'))
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    page({
      name,
      email: request.headers['x-forwarded-email'],
      accessToken: request.headers['x-forwarded-access-token'],
    }),
  )
})

website.listen(0, 'localhost', () => {
  const settings = [
    '--provider=oidc',
    `--oidc-issuer-url=${ISSUER}`,
    `--client-id=${CLIENT_ID}`,
    `--client-secret=${CLIENT_SECRET}`,
    `--redirect-url=${HOME}/oauth2/callback`,
    '--code-challenge-method=S256',
    '--email-domain=*',
    '--cookie-secret=thirty-two-characters-of-secrecy',
    '--cookie-secure=false',
    '--cookie-refresh=1s',
    `--whitelist-domain=${new URL(ISSUER).host}`,
    '--pass-access-token',
    '--pass-authorization-header',
    `--http-address=localhost:${PORT}`,
    `--upstream=http://localhost:${website.address().port}/`,
  ]
  const proxy = spawn(process.argv[2], settings, { stdio: 'inherit' })
  proxy.on('exit', (code) => process.exit(code ?? 1))
  process.on('SIGTERM', () => proxy.kill())
})
