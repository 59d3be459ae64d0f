import { clients } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { pausingProxy } from '../../../../test/databases/pausing-proxy.ts'
import { testEngine } from '../../../../test/databases/template-db.ts'
import { createOrganization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { startTestServer } from '../../../../test/test-server.ts'
import { post } from '../../../../test/third-party.ts'

test.runIf(testEngine === 'postgres')(
  'an app that is disabled at one server is refused soon at another that receives no signals',
  async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const { hostname: host, port } = new URL(server.config.database_url as string)
    const proxy = await pausingProxy({ host, port: Number(port) })
    const listenUrl = new URL(server.config.database_url as string)
    listenUrl.host = `127.0.0.1:${proxy.port}`
    const other = await server.secondNode({ VRATA_DATABASE_LISTEN_URL: listenUrl.href })
    onTestFinished(() => other.close())
    const ana = await server.as(people.ana)
    const app = await (await createOrganization(server, ana)).app()
    const introspect = async () => (await post(other, app, '/introspect', { token: 'unknown' })).statusCode
    expect(await introspect()).toBe(200)
    proxy.cut()
    await expect.poll(() => other.store.signals.maxAge).toBeLessThan(1000)
    await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false })
    await expect.poll(introspect).toBe(401)
    await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: true })
    await expect.poll(introspect).toBe(200)
    proxy.resume()
    await expect.poll(() => other.store.signals.maxAge).toBe(60_000)
  },
)
