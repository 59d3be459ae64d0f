import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.ts'
import type { Program } from '../../test/processes/programs.ts'
import { makeCertificates } from '../../test/proxies/certificate-files.ts'
import { missing, startProxy } from '../../test/proxies/proxy-programs.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { checkClientAddress } from './client-address.ts'

// The doctor's request through a real nginx, in many configurations, to servers that trust different proxies.

/** The address from which nginx reaches the server; that of an outer nginx is `OUTER`. Clients have 127.0.0.1. */
const PROXY = '127.0.0.3'
const OUTER = '127.0.0.4'

const REPLACES = 'proxy_set_header X-Forwarded-For $remote_addr;'
const APPENDS = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'
const REMOVES = 'proxy_set_header X-Forwarded-For "";'
const PASSES_ON = ''
const TELLS_PROTOCOL = 'proxy_set_header X-Forwarded-Proto $scheme;'

const TRUSTING = {
  proxy: { VRATA_TRUST_PROXY: PROXY },
  both: { VRATA_TRUST_PROXY: `${PROXY}, ${OUTER}` },
  other: { VRATA_TRUST_PROXY: '127.0.0.9' },
  nobody: { VRATA_TRUST_PROXY: 'false' },
  all: { VRATA_TRUST_PROXY: '0.0.0.0/1, 128.0.0.0/1' },
}
type Trusting = keyof typeof TRUSTING

const RIGHT = 'the server sees 127.0.0.1, and believes no invented address'

/** Configuration of nginx and of the server behind it, and the expected message of the check; every message but `RIGHT` is a failure. */
type Case = { does: string; node?: Trusting; outer?: string; says: string }
const CASES: Record<string, Case> = {
  'replaces the header': { does: REPLACES, says: RIGHT },
  'appends to the header': { does: APPENDS, says: RIGHT },
  'tells the wrong protocol, which nothing depends on': {
    does: `${REPLACES} proxy_set_header X-Forwarded-Proto http;`,
    says: `${RIGHT}; X-Forwarded-Proto is http, which does not matter: VRATA_URL decides`,
  },
  'tells the protocol': { does: `${APPENDS} ${TELLS_PROTOCOL}`, says: RIGHT },
  'removes the header': {
    does: REMOVES,
    says: `all people have the address of the proxy, ${PROXY}: it does not send X-Forwarded-For; let it set the header to the address of its client`,
  },
  'passes on what clients send': {
    does: PASSES_ON,
    says: `anybody can pose as any other address: the proxy ${PROXY} passes X-Forwarded-For on as clients send it; let it set the header to the address of its client`,
  },
  'passes on what clients send, and is not trusted': {
    does: PASSES_ON,
    node: 'nobody',
    says: `all people have the address of the proxy, ${PROXY}: it does not send X-Forwarded-For; let it set the header to the address of its client, and add ${PROXY} to VRATA_TRUST_PROXY`,
  },
  'sends ports with addresses': {
    does: 'proxy_set_header X-Forwarded-For "$remote_addr:$remote_port";',
    says: RIGHT,
  },
  'sends no address': {
    does: 'proxy_set_header X-Forwarded-For "unknown";',
    says: `X-Forwarded-For has "unknown"`,
  },
  'is not the one that is trusted': {
    does: REPLACES,
    node: 'other',
    says: `all people have the address of a proxy, ${PROXY}; add it to VRATA_TRUST_PROXY`,
  },
  'is not trusted, nor is any other': {
    does: APPENDS,
    node: 'nobody',
    says: `all people have the address of a proxy, ${PROXY}; set it as VRATA_TRUST_PROXY`,
  },
  'is trusted as everybody is': {
    does: APPENDS,
    node: 'all',
    says: 'VRATA_TRUST_PROXY (0.0.0.0/1, 128.0.0.0/1) trusts every address: anybody can pose as any other; name only the proxies',
  },
  'is the inner of two, and both are trusted': { does: APPENDS, outer: REPLACES, node: 'both', says: RIGHT },
  'is the inner of two, and alone trusted': {
    does: APPENDS,
    outer: REPLACES,
    says: `all people have the address of a proxy, ${OUTER}; add it to VRATA_TRUST_PROXY`,
  },
  'is the inner of two, and replaces the header of the outer one': {
    does: `${REPLACES} ${TELLS_PROTOCOL}`,
    outer: REPLACES,
    says: `another proxy is in front of the one that sends X-Forwarded-For: ${OUTER}; let that one add to the header`,
  },
  redirects: {
    does: 'return 301 https://www.id.example.com/;',
    says: 'redirects to https://www.id.example.com/; set VRATA_URL to the address that people use',
  },
  'is of another site': { does: 'return 200 "Welcome";', says: 'answers 200, and not as Vrata does' },
  'refuses the path': { does: 'return 403;', says: 'answers 403, and not as Vrata does; let the proxy lead all paths' },
  'does not reach the server': {
    does: 'proxy_pass http://127.0.0.1:1;',
    says: 'answers 502; the proxy does not reach',
  },
}

describe.skipIf(missing('nginx'))('a proxy that', () => {
  const nodes = {} as Record<Trusting, TestServer>
  const ports: Record<string, number> = {}
  const trusted = getCACertificates('default')
  let stranger: TestServer
  let program: Program

  beforeAll(async () => {
    const { folder, authority } = await makeCertificates(['localhost'])
    setDefaultCACertificates([...trusted, authority])
    nodes.proxy = await startTestServer(TRUSTING.proxy)
    stranger = await startTestServer(TRUSTING.proxy)
    for (const name of ['both', 'other', 'nobody', 'all'] as const)
      nodes[name] = await nodes.proxy.secondNode(TRUSTING[name])
    for (const { app } of [...Object.values(nodes), stranger]) await app.listen({ port: 0, host: '127.0.0.1' })
    const blocks: string[] = []
    for (const [title, { does, outer, node = 'proxy' }] of Object.entries(CASES)) {
      const behind = (lines: string, from: string, port: number) =>
        /return|proxy_pass/.test(lines)
          ? lines
          : `proxy_bind ${from}; proxy_pass http://127.0.0.1:${port}; proxy_set_header Host $host; ${lines}`
      const inner = outer ? await freePort('127.0.0.1') : portOf(nodes[node])
      if (outer) blocks.push(`listen 127.0.0.1:${inner}; location / { ${behind(does, PROXY, portOf(nodes[node]))} }`)
      const port = await freePort('127.0.0.1')
      blocks.push(`listen 127.0.0.1:${port} ssl; location / { ${behind(outer ?? does, outer ? OUTER : PROXY, inner)} }`)
      ports[title] = port
    }
    const certificate = 'ssl_certificate /etc/ssl/localhost.crt; ssl_certificate_key /etc/ssl/localhost.key;'
    const configuration = blocks.map((block) => `server { ${certificate} ${block} }`).join('\n')
    const [first = 0] = Object.values(ports)
    program = await startProxy('nginx', folder, { vrata: 0, pages: first, mtls: first }, () => configuration)
  })
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    await program?.close()
    for (const { close } of Object.values(nodes).reverse()) await close()
    await stranger?.close()
  })

  const portOf = ({ app }: TestServer) => (app.server.address() as AddressInfo).port
  /** Message of the check about an origin, with the settings and the database of a server. */
  const said = async ({ config, store, clock }: TestServer, origin: string) =>
    await checkClientAddress(config, origin, { db: store.db, clock }).then(
      (says) => ({ ok: true, says }),
      (error: Error) => ({ ok: false, says: error.message }),
    )

  test.each(Object.entries(CASES))('%s', async (title, { node = 'proxy', says }) => {
    const found = await said(nodes[node], `https://localhost:${ports[title]}`)
    expect(found.says).toContain(says)
    expect(found.ok).toBe(says.startsWith(RIGHT))
    // Used tokens are deleted, and unused ones are deleted later.
    expect(await nodes.proxy.store.db.selectFrom('proxy_tests').selectAll().execute()).toEqual([])
  })

  test('leads to another installation, or to a server with other settings, is noticed', async () => {
    const origin = `https://localhost:${ports['replaces the header']}`
    expect(await said(stranger, origin)).toEqual({
      ok: false,
      says: `${origin} leads to another installation of Vrata, or to a server with another database`,
    })
    expect(await said(nodes.other, origin)).toEqual({
      ok: false,
      says: 'the running server has another VRATA_TRUST_PROXY than this command; start it again',
    })
  })

  test('is missing is reported, as is a server that does not run', async () => {
    expect(await said(nodes.nobody, `http://127.0.0.1:${portOf(nodes.nobody)}`)).toEqual({
      ok: true,
      says: 'there is no proxy; the server sees the address of the connection',
    })
    expect(await said(nodes.proxy, 'http://127.0.0.1:1')).toEqual({
      ok: true,
      says: 'not tested: nothing answers here at http://127.0.0.1:1',
    })
    const unknown = await said(nodes.proxy, 'https://vrata.invalid')
    expect(unknown).toMatchObject({ ok: false, says: expect.stringMatching(/^https:\/\/vrata\.invalid: .*DNS$/) })
  })
})

describe('an answer that', () => {
  /** Message of the check about a server that sends a part of an answer, and then calls `then` with the socket. */
  async function saidAfter(part: string, then: (socket: Socket) => void): Promise<string> {
    const server = await startTestServer()
    const broken = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(part, () => setTimeout(then, 50, socket)))
    })
    await once(broken.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(async () => {
      broken.close()
      await server.close()
    })
    const { port } = broken.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const { config, store, clock } = server
    const checked = checkClientAddress(config, origin, { db: store.db, clock })
    return await checked.catch((error: Error) => error.message.replace(origin, 'it'))
  }
  const HALF = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'
  const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'

  test('breaks off is a failed check', async () => {
    expect(await saidAfter(HALF, (socket) => socket.resetAndDestroy())).toMatch(/^it: .*(ECONNRESET|aborted)/)
  })

  test('never ends is a failed check', async () => {
    const says = await Promise.all([HALF, SWITCHED].map((part) => saidAfter(part, () => {})))
    for (const one of says) expect(one).toMatch(/^it: no answer within 5 seconds/)
  })
})
