import { once } from 'node:events'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { addressed, LIFETIMES, system } from '@vrata/contract'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open.ts'
import { timeAfter, toTime } from '../db/values.ts'
import { deleteProxyTests, insertProxyTest } from '../features/system/public.ts'
import type { Clock } from '../lib/clock.ts'
import { hashToken, newToken, type Token } from '../lib/ids.ts'
import { isLoopbackUrl } from '../lib/loopback.ts'
import { type Caller, describeArrival, INVENTED } from './arrival.ts'
import { sentenceOf } from './certificate.ts'

/** Milliseconds for the answer. */
const TIMEOUT = 5000
/** Bytes of an answer that are read; another server may send anything. */
const MOST = 65_536

/**
 * Sends a request with an invented address to the public origin, as a client does, and says which address the running server has seen.
 * The server describes the request only to the holder of a token that is in the database.
 */
export async function checkClientAddress(
  config: Config,
  origin: string,
  { db, clock }: { db: Db; clock: Clock },
): Promise<string> {
  const token = newToken()
  await insertProxyTest(db, hashToken(token), timeAfter(clock.now(), LIFETIMES.proxy_test))
  try {
    const { status, location, text, caller } = await send(origin, token)
    if (location) throw new Error(`${origin} redirects to ${location}; set VRATA_URL to the address that people use`)
    return describeArrival(config, caller, arrivalIn(origin, status, text))
  } catch (error) {
    const refused = (error as { code?: unknown }).code === 'ECONNREFUSED'
    if (refused && isLoopbackUrl(origin)) return `not tested: nothing answers here at ${origin}`
    throw error
  } finally {
    await deleteProxyTests(db, hashToken(token), toTime(clock.now()))
  }
}

type Sent = { status: number; location: string | undefined; text: string; caller: Caller }

async function send(origin: string, token: Token): Promise<Sent> {
  const isSecure = origin.startsWith('https:')
  const { url, body } = addressed(system.testProxies, { token })
  const signal = AbortSignal.timeout(TIMEOUT)
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': INVENTED }
  const { method } = system.testProxies
  const request = (isSecure ? secure : plain)(`${origin}${url}`, { method, headers, agent: false, signal })
  // Of an answer that switches protocols, Node.js emits nothing, so that `once` has the signal, too; the error that the request then emits has no other listener.
  request.on('error', () => {})
  try {
    request.end(JSON.stringify(body))
    const [response] = await once(request, 'response', { signal })
    const { localAddress: address = '', localPort: port = 0 } = response.socket
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length > MOST) break
    }
    const { statusCode: status, headers: answered } = response
    const location = status >= 300 && status < 400 ? answered.location : undefined
    return { status, location, text, caller: { secure: isSecure, local: { address, port } } }
  } catch (cause) {
    const { code } = cause as { code?: string }
    const says = signal.aborted
      ? `no answer within ${TIMEOUT / 1000} seconds; where people get one, this network does not lead back to its own public address: name the proxy in /etc/hosts`
      : sentenceOf(cause as Error)
    throw Object.assign(new Error(`${origin}: ${says}`, { cause }), { code })
  }
}

const answer = z.union([
  z.object({ status: z.literal('success'), data: system.testProxies.data }),
  z.object({ status: z.literal('error'), error: z.object({ code: z.string() }) }),
])

function arrivalIn(origin: string, status: number, text: string): system.Arrival {
  const { data } = answer.safeParse(jsonOf(text))
  if (data?.status === 'success') return data.data
  if (data?.error.code === 'invalid_token')
    throw new Error(`${origin} leads to another installation of Vrata, or to a server with another database`)
  if (data?.error.code === 'not_found')
    throw new Error(`${origin} leads to a server of another version; start it again after the upgrade`)
  if (data) throw new Error(`${origin} answers ${status}, ${data.error.code}; see its log`)
  if (status >= 500) throw new Error(`${origin} answers ${status}; the proxy does not reach the server, or see its log`)
  throw new Error(`${origin} answers ${status}, and not as Vrata does; let the proxy lead all paths to it`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
