import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clients, developers, scopes } from '@vrata/contract'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { LOCALHOST_CERTIFICATE, startDocumentHost } from '../../testing/document-host.ts'
import { signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { startNodeProcess } from '../server/node-process.ts'

const { ana, bor } = people

/** The server of the journey trusts the host on which the client publishes its document. */
process.env.NODE_EXTRA_CA_CERTS = LOCALHOST_CERTIFICATE

test.describe('MCP', () => {
  test('an unregistered client from npm reaches the tools of an MCP server', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const [port, callbackPort] = [await freePort(), await freePort()]
    const address = `http://localhost:${port}/mcp`
    const developer = await openWithoutPage()
    await signUpConfirmed(server, developer, ana)
    dataOf(await developer.call(developers.createDeveloper, { name: studio.name }))
    const { client_id: id } = dataOf(await developer.call(clients.createClient, { name: 'Notes', type: 'service' }))
    dataOf(await developer.call(scopes.defineScope, { id, key: 'notes.read', title: { 'en-US': 'Read your notes' } }))
    dataOf(await developer.call(scopes.addResource, { id, identifier: address, name: 'Notes', scopes: ['notes.read'] }))
    const mcpServer = await startNodeProcess(
      [join(ROOT, 'examples/mcp-server/main.ts')],
      { ISSUER: server.url, PORT: String(port) },
      (output) => /is running/.test(output),
    )

    const host = await startDocumentHost()
    const document = `${host.origin}/oauth/client.json`
    host.publish('/oauth/client.json', {
      client_id: document,
      client_name: 'Notes for Agents',
      redirect_uris: [`http://localhost:${callbackPort}/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    const folder = await mkdtemp(join(tmpdir(), 'vrata-mcp-'))
    const remote = await startNodeProcess(
      [
        join(ROOT, 'node_modules/mcp-remote/dist/client.js'),
        ...[address, String(callbackPort), '--client-metadata-url', document, '--auth-timeout', '120'],
      ],
      // It also starts the browser of the desktop, which is not the one of this journey.
      { MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' },
      (output) => /http\S+\/authorize\S+/.test(output),
    )
    const [request] = await remote.waitForOutput(/http\S+\/authorize\S+/)

    const visitor = await open({ allow: /^foreign host: http:\/\/localhost:/ })
    await signUpConfirmed(server, visitor, bor)
    const { page } = visitor
    await page.goto(request)
    const { host: name } = new URL(document)
    await expect(page.getByRole('heading', { name: `${name} wants to use your Vrata account` })).toBeVisible()
    await expect(page.getByText('It calls itself “Notes for Agents”.')).toBeVisible()
    await expect(page.getByText('No one has registered this app here.')).toBeVisible()
    await expect(page.getByText(`You will go to localhost:${callbackPort}`)).toBeVisible()
    await expect(page.getByText('Read your notes', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`http://localhost:${callbackPort}/**`)
    await remote.waitForOutput(/find_notes/)

    await page.goto(`${server.url}/applications`)
    await page.getByRole('link', { name }).click()
    await expect(page.getByText(`Not registered, published by ${name}`)).toBeVisible()
    await expect(page.getByText('Read your notes', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Remove access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
    await expect(page.getByText('Apps that use your Vrata account will be listed here')).toBeVisible()

    await remote.stop('SIGTERM')
    await mcpServer.stop('SIGTERM')
    host.close()
    await rm(folder, { recursive: true, force: true })
  })
})
