import { once } from 'node:events'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { clients, LIMITS } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import { escapedPem } from '../client-authentication/certificates.ts'
import { createOrganization } from '../organization.ts'
import { people } from '../people.ts'
import type { Program } from '../processes/programs.ts'
import { type SignedIn, startTestServer, type TestServer } from '../test-server.ts'
import { allow, authorizeUrl, codeFor, type ThirdParty } from '../third-party.ts'
import { type CertificateFiles, type KeyAndCertificate, makeCertificates } from './certificate-files.ts'
import { missing, PROXIES, type ProxyName, startProxy } from './proxy-programs.ts'

// The configurations of docs/guides/operate.md in real proxies. `npm test` tries nginx, `npm run proxies` all of them.

const HOSTS = ['id.example.com', 'mtls.id.example.com'] as const
const SUBJECT = 'CN=Robot,O=Example'
const FORMATS: Record<ProxyName, string> = { nginx: 'pem', haproxy: 'der', caddy: 'der' }
/** HAProxy asks for certificates at a port of its own, the others at a host name. */
const MTLS_HOST: Record<ProxyName, string> = { nginx: HOSTS[1], haproxy: HOSTS[0], caddy: HOSTS[1] }
/** Caddy refuses the connection where the others pass an unverified certificate on. */
const REFUSES_UNVERIFIED: ProxyName[] = ['caddy']

type Tried = { proxy: ProxyName; format: string; change?: (configuration: string) => string }
const asRfc9440 = (configuration: string) => configuration.replace('%[ssl_c_der,base64]', ':%[ssl_c_der,base64]:')
const ALL: Tried[] = [
  ...PROXIES.map((proxy) => ({ proxy, format: FORMATS[proxy] })),
  { proxy: 'haproxy', format: 'rfc9440', change: asRfc9440 },
]
const chosen = process.env.VRATA_TEST_PROXIES === 'all' ? ALL : ALL.slice(0, 1)

describe.each(chosen)('$proxy with the format $format', ({ proxy, format, change }) => {
  let certificates: CertificateFiles
  let server: TestServer
  let program: Program
  let ana: SignedIn
  let app: ThirdParty
  const agents: Agent[] = []
  const ports = { vrata: 0, pages: 0, mtls: 0 }
  const absent = process.env.VRATA_TEST_DATABASE === 'postgres' ? 'the database makes no difference' : missing(proxy)

  beforeAll(async () => {
    if (absent) return
    certificates = await makeCertificates(HOSTS)
    server = await startTestServer({
      VRATA_URL: `https://${HOSTS[0]}`,
      VRATA_WEB_ORIGINS: 'http://localhost:3000',
      VRATA_MTLS_URL: `https://${MTLS_HOST[proxy]}`,
      VRATA_MTLS_HEADER: `X-Client-Cert ${format}`,
      VRATA_MTLS_VERIFIED_HEADER: 'X-Client-Verify',
      VRATA_CLIENT_REGISTRATION: 'on',
    })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    ports.vrata = (server.app.server.address() as AddressInfo).port
    ports.pages = await freePort('127.0.0.1')
    ports.mtls = proxy === 'haproxy' ? await freePort('127.0.0.1') : ports.pages
    program = await startProxy(proxy, certificates.folder, ports, change)
    ana = await server.as(people.ana)
    const created = await (await createOrganization(server, ana)).app()
    const settings: Partial<clients.Advanced> = {
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: SUBJECT,
      tls_client_certificate_bound_access_tokens: true,
    }
    expect(await ana.call(clients.updateAdvanced, { id: created.client_id, ...settings })).toMatchObject({ ok: true })
    await allow(ana, created)
    app = { ...created, client_secret: null }
  })
  afterAll(async () => {
    if (absent) return
    for (const agent of agents) agent.destroy()
    await program?.close()
    await server?.close()
  })

  /** A connection of its own, with a certificate or without. It is resumed where it has ended. */
  const agentWith = (given?: KeyAndCertificate) => {
    const agent = new Agent({ ca: certificates.authority, ...given })
    agents.push(agent)
    return agent
  }
  type Sent = { path: string; form?: Record<string, string>; headers?: Record<string, string>; to?: 'pages' | 'mtls' }
  async function send(agent: Agent, { path, form, headers = {}, to = 'mtls' }: Sent, upload?: Buffer) {
    const host = to === 'mtls' ? MTLS_HOST[proxy] : HOSTS[0]
    const sent = request({
      agent,
      host: '127.0.0.1',
      port: ports[to],
      servername: host,
      path,
      method: upload ? 'PUT' : form ? 'POST' : 'GET',
      headers: { host, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
    }).end(form ? new URLSearchParams(form).toString() : upload)
    const [answer] = await once(sent, 'response')
    const resumed = (answer.socket as TLSSocket).isSessionReused()
    let text = ''
    for await (const chunk of answer) text += chunk
    return { status: answer.statusCode as number, text, resumed, json: () => JSON.parse(text) }
  }
  async function tokenRequest(agent: Agent, headers: Record<string, string> = {}) {
    const { form } = await codeFor(ana, app)
    return await send(agent, { path: '/token', form: { ...form, client_id: app.client_id }, headers })
  }
  const userinfo = (agent: Agent, token: string, sent: Partial<Sent> = {}) =>
    send(agent, { path: '/userinfo', ...sent, headers: { authorization: `Bearer ${token}`, ...sent.headers } })
  const forged = ({ cert }: KeyAndCertificate) => {
    const der = cert.replace(/-----.*-----|\s/g, '')
    const value = { pem: escapedPem(der), der, rfc9440: `:${der}:` }[format] as string
    return { 'x-client-cert': value, 'x-client-verify': 'SUCCESS' }
  }

  test('gives tokens to the app with the certificate, and claims with it alone', async (context) => {
    if (absent) return context.skip(absent)
    const answer = await tokenRequest(agentWith(certificates.app))
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('access_token')])
    const { access_token } = answer.json()
    expect((await userinfo(agentWith(certificates.app), access_token)).json()).toMatchObject({ sub: ana.user.id })
    expect((await userinfo(agentWith(), access_token)).status).toBe(401)
    expect((await userinfo(agentWith(certificates.otherApp), access_token)).status).toBe(401)
  })

  test('replaces the headers that clients send', async (context) => {
    if (absent) return context.skip(absent)
    const { access_token } = (await tokenRequest(agentWith(certificates.app))).json()
    const headers = forged(certificates.app)
    expect((await tokenRequest(agentWith(), headers)).status).toBe(401)
    expect((await userinfo(agentWith(), access_token, { headers })).status).toBe(401)
    expect((await userinfo(agentWith(certificates.otherApp), access_token, { headers })).status).toBe(401)
    // The host name of the pages leads to the same server.
    expect((await userinfo(agentWith(), access_token, { headers, to: 'pages' })).status).toBe(401)
  })

  test('does not verify a self-signed certificate with the same subject, nor on a resumed connection', async (context) => {
    if (absent) return context.skip(absent)
    const agent = agentWith(certificates.selfSigned)
    if (REFUSES_UNVERIFIED.includes(proxy)) {
      await expect(tokenRequest(agent)).rejects.toThrow()
      return
    }
    const answers = [await tokenRequest(agent), await tokenRequest(agent, forged(certificates.app))]
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect(answers[1]?.resumed).toBe(true)
    // A resumed connection with the certificate of the authority stays verified.
    const verified = agentWith(certificates.app)
    expect([await tokenRequest(verified), await tokenRequest(verified)].map(({ status }) => status)).toEqual([200, 200])
  })

  test('leads to the endpoints of mtls_endpoint_aliases where it asks for certificates, and to nothing else', async (context) => {
    if (absent) return context.skip(absent)
    const path = '/.well-known/openid-configuration'
    const discovery = (await send(agentWith(), { path, to: 'pages' })).json()
    const agent = agentWith(certificates.app)
    for (const address of Object.values<string>(discovery.mtls_endpoint_aliases)) {
      const answer = await send(agent, { path: new URL(address).pathname, form: {} })
      expect([address, answer.json()]).toEqual([address, { error: expect.any(String), ...answer.json() }])
    }
    expect((await send(agent, { path })).text).not.toContain('issuer')
  })

  test('passes on a picture of the largest size', async (context) => {
    if (absent) return context.skip(absent)
    const picture = Buffer.alloc(LIMITS.picture_bytes)
    const headers = { origin: `https://${HOSTS[0]}`, 'content-type': 'multipart/form-data; boundary=part' }
    const sent: Sent = { path: '/v1/account/profile-picture', headers, to: 'pages' }
    // Without cookies, Vrata answers that the user is not signed in.
    expect((await send(agentWith(), sent, picture)).text).toContain('"code":"unauthenticated"')
  })

  test('passes on a redirect to an app with a long state', async (context) => {
    if (absent) return context.skip(absent)
    const path = authorizeUrl(app, { prompt: 'none', state: 's'.repeat(6000) })
    expect((await send(agentWith(), { path, to: 'pages' })).status).toBe(303)
  })
})
