/**
 * An MCP server with one tool, protected by Vrata. It publishes protected resource metadata (RFC 9728) and accepts access
 * tokens for its own address (RFC 8707). It needs no client ID: register an app, define the scope in it, and add this
 * server's address as an API in the tab Scopes. MCP clients need no registration.
 * Settings: ISSUER (http://localhost:3000), PORT (4004), RESOURCE (http://localhost:4004/mcp), SCOPE (notes.read).
 */
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'
import { createTokenVerifier } from './token-verifier.ts'

const { ISSUER = 'http://localhost:3000', PORT = '4004', SCOPE = 'notes.read' } = process.env
const resource = new URL(process.env.RESOURCE ?? `http://localhost:${PORT}/mcp`)

const discovery = await fetch(`${ISSUER}/.well-known/oauth-authorization-server`)
if (!discovery.ok) throw new Error(`${discovery.url} answered ${discovery.status}`)
const vrata = OAuthMetadataSchema.parse(await discovery.json())

const NOTES = ['Buy bread', 'Call the harbor office']

/** A server for one request, because nothing is kept between requests. */
function createServer(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.registerTool(
    'find_notes',
    { description: 'Find notes that contain a text.', inputSchema: { text: z.string() } },
    ({ text }, { authInfo }) => {
      const found = NOTES.filter((note) => note.toLowerCase().includes(text.toLowerCase()))
      // `sub` is the person; a real server would look up their notes.
      return { content: [{ type: 'text', text: JSON.stringify({ for: authInfo?.extra?.sub, found }) }] }
    },
  )
  return server
}

const app = createMcpExpressApp({ host: 'localhost' })
app.disable('x-powered-by')
app.use(mcpAuthMetadataRouter({ oauthMetadata: vrata, resourceServerUrl: resource, scopesSupported: [SCOPE] }))
const authorized = requireBearerAuth({
  verifier: createTokenVerifier(vrata, resource.href),
  requiredScopes: [SCOPE],
  resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
})
app.post(resource.pathname, authorized, async (request, response) => {
  const server = createServer()
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  response.on('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
})
// Without sessions there is nothing to listen to or to end.
app.all(resource.pathname, authorized, (_, response) => void response.set('allow', 'POST').sendStatus(405))
app.listen(Number(PORT), 'localhost', () => console.log(`The MCP server is running at ${resource.href}`))
