import { createServer } from 'node:http'

const credentials = btoa(`YOUR_CLIENT_ID:${process.env.VRATA_CLIENT_SECRET}`)

/** Returns the user and the scopes of this API that an access token stands for, or undefined if it is not valid (RFC 7662). */
async function introspect(token) {
  const answer = await fetch('https://id.example.com/introspect', {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ token }),
  })
  if (!answer.ok) throw new Error(`Vrata answered ${answer.status}: ${await answer.text()}`)
  const { active, sub, scope } = await answer.json()
  return active ? { sub, scopes: scope.split(' ') } : undefined
}

createServer(async (request, response) => {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const caller = token && (await introspect(token))
  if (!caller) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Sign in first\n')
  response.end(`${caller.sub} may: ${caller.scopes.join(', ')}\n`)
}).listen(4000, 'localhost', () => console.log('The API is running at http://localhost:4000'))
