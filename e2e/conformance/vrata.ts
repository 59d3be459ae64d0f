import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { type Api, account, connections, developers, sessions, signIn } from '@vrata/contract'
import { ensurePages } from '../../scripts/build/pages.ts'
import { ensureServer, SERVER } from '../../scripts/build/server-bundle.ts'
import { confirmEmail } from '../../scripts/dev/seed.ts'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { people, studio } from '../../server/test/people.ts'
import { apiClient, dataOf } from '../../testing/api-client.ts'
import { startNodeProcess } from '../server/node-process.ts'
import { type ProtectedApi, startApi } from './api.ts'
import { PORTS } from './ports.ts'
import { type Certificate, createCertificate, escapedPemOf, startTlsProxy } from './tls.ts'

/** The folder of the server, its log, the configurations of the plans and the results. */
export const DATA = join(ROOT, 'data/conformance')
/** Where Vrata is when it and the suite run on this machine. */
const LOCAL_URL = `https://localhost:${PORTS.vrata}`

/** Replaced by the proxy in every request (docs/guides/operate.md). */
const CERTIFICATE_HEADER = 'x-client-cert'

export type Vrata = {
  /** The issuer. */
  url: string
  /** The same server where clients are asked for a certificate. */
  mtls_url: string
  api: ProtectedApi
  /** Certificate of the proxies on this machine. */
  certificate: Certificate
  /** The API as Ana, who has signed in recently. */
  call: Api
  /** Initial access token for dynamic client registration. */
  initial_access_token: string
  /** Allows or denies, as Ana, the newest backchannel authentication request (CIBA) since that time, if there is one. */
  answerRequest(decision: 'allow' | 'deny', since: Date): Promise<void>
  /** Rotates the signing keys by the command for operators (docs/guides/operate.md), and waits until the server publishes the new ones. */
  rotateKeys(): Promise<void>
  /** Log of the server. */
  log(): string
}

/**
 * Starts Vrata with an empty data folder, a user and an organization, for the suite. With `VRATA_URL`, a proxy of the operator
 * has to terminate TLS and to forward to `PORT`; otherwise one is started at {@link LOCAL_URL}.
 */
export async function startVrata(): Promise<Vrata> {
  await ensurePages()
  await ensureServer()
  // Client secrets cannot be read again, so every start creates new clients.
  await rm(DATA, { recursive: true, force: true })
  await mkdir(DATA, { recursive: true })
  const certificate = await createCertificate(DATA)
  const { VRATA_URL, HOST = '127.0.0.1', PORT } = process.env
  const url = VRATA_URL ?? LOCAL_URL
  const mtls_url = process.env.VRATA_MTLS_URL ?? `https://localhost:${PORTS.vrata_mtls}`
  const port = PORT ?? String(await freePort())
  const env: Record<string, string> = {
    VRATA_LOG_LEVEL: 'warn',
    // The suite signs in hundreds of times from one IP address.
    VRATA_LIMITS_FACTOR: '100',
    VRATA_URL: url,
    VRATA_TRUST_PROXY: 'loopback',
    VRATA_MTLS_HEADER: `${CERTIFICATE_HEADER} pem`,
    VRATA_MTLS_URL: mtls_url,
    VRATA_CLIENT_REGISTRATION: 'on',
    HOST,
    PORT: port,
    VRATA_DATA_DIR: DATA,
    // Lets logout tokens reach a suite on this machine.
    NODE_EXTRA_CA_CERTS: certificate.cert,
  }
  const target = { url: `http://127.0.0.1:${port}`, origin: url, outbox: join(DATA, 'outbox') }
  const ready = async () => (await fetch(`${target.url}/readyz`).catch(() => undefined))?.ok ?? false
  const server = await startNodeProcess([SERVER, 'serve'], env, ready)
  const proxy = { certificate, target: Number(port) }
  if (!VRATA_URL) {
    await startTlsProxy({ ...proxy, port: PORTS.vrata, headers: () => ({ [CERTIFICATE_HEADER]: '' }) })
    const headers = (socket: TLSSocket) => ({ [CERTIFICATE_HEADER]: escapedPemOf(socket) })
    await startTlsProxy({ ...proxy, port: PORTS.vrata_mtls, headers, asksForCertificate: true })
  }
  const runCommand = async (...words: string[]) =>
    (await promisify(execFile)(process.execPath, [SERVER, ...words], { env: { PATH: process.env.PATH, ...env } }))
      .stdout

  const call = apiClient(target)
  await signUpVerified(call, target.outbox)
  const { developer_id } = dataOf(await call(developers.createDeveloper, studio))
  // The plans with dynamic registration register a client without PKCE for each module.
  const terms = ['--uses', '1000', '--days', '30', '--pkce-optional']
  const token = await runCommand('client', 'registration-token', developer_id, people.ana.email, ...terms)
  return {
    url,
    mtls_url,
    api: await startApi({ issuer: url, target: target.url, certificate, header: CERTIFICATE_HEADER }),
    certificate,
    call,
    initial_access_token: token.trim(),
    async answerRequest(decision, since) {
      // Plans take longer than the access cookie.
      dataOf(await call(sessions.refresh, {}))
      const [request] = dataOf(await call(connections.listRequests))
      if (!request || new Date(request.asked_at) < since) return
      const { uid, client, scope } = request
      const answer = decision === 'deny' ? { scopes: [], deny: true } : { scopes: scope.split(' ') }
      dataOf(await call(connections.submitConsent, { client: client.client_id, uid, ...answer }))
    },
    async rotateKeys() {
      const publishedKeys = async () => await (await fetch(`${target.url}/jwks`)).text()
      const former = await publishedKeys()
      await runCommand('keys', 'rotate')
      // A running server reads the keys again within a second; a busy machine takes longer.
      for (let waited = 0; (await publishedKeys()) === former; waited += 1) {
        if (waited === 300) throw new Error('The server does not publish the new signing keys.')
        await wait(100)
      }
    },
    log: server.output,
  }
}

/** Creates a user who has a value for every standard claim. */
async function signUpVerified(call: Api, outbox: string): Promise<void> {
  const { email, password, first_name, last_name } = people.ana
  dataOf(await call(signIn.register, { email, password, first_name, last_name, language: 'en-US' }))
  await confirmEmail(call, email, outbox)
  dataOf(
    await call(account.updateAccount, {
      username: 'ana.kovac',
      phone_number: '+38631234567',
      birth_date: '1990-05-17',
      gender: 'female',
      country_code: 'SI',
    }),
  )
}
