import type { LightMyRequestResponse } from 'fastify'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { tokenKey } from '../../src/issuer/tokens/token-keys.ts'
import { changesOf, type Rows } from './rows.ts'

/** One node's answers and what they changed, without random values and times. */
export interface Outcome {
  answers: string[]
  changes: string[]
}

const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const
const OPAQUE = /^0[\da-z]{8}[\w-]{43}$/
const JTI = /^[\w-]{43}$/

export function outcomeOf(answers: readonly LightMyRequestResponse[], before: Rows, after: Rows): Outcome {
  const names = new Map<string, string>()
  for (const [i, answer] of answers.entries()) {
    const body = bodyOf(answer)
    for (const name of TOKENS) {
      const token = body?.[name]
      if (typeof token === 'string') names.set(tokenKey(token), `${name} ${i}`)
    }
    const code = codeOf(answer)
    if (code) names.set(tokenKey(code), `code ${i}`)
  }
  const known = before.get('connections')
  const fresh = [...(after.get('connections') ?? [])].flatMap(([key, { id }]) => (known?.has(key) ? [] : [String(id)]))
  const text = (row: Record<string, unknown>) =>
    fresh.reduce((line, id) => line.replaceAll(id, '(new connection)'), rowText(row, names))
  return { answers: answers.map(textOf), changes: changesOf(comparable(before), comparable(after), text) }
}

/** Rows without what differs from one request to the next: the audit log hashes the id of the request, and a timer counts. */
function comparable(rows: Rows): Rows {
  const compared = withoutSlots(rows)
  compared.delete('sign_in_days')
  const events = [...(rows.get('audit_events') ?? [])].map(([key, row]) => {
    const { request_id, previous_hash, hash, ...event } = row
    return [key, event] as const
  })
  compared.set('audit_events', new Map(events))
  const settings = [...(rows.get('settings') ?? [])].filter(([, { key }]) => key !== 'audit_head')
  return compared.set('settings', new Map(settings))
}

/** Sums the statistics of a day, which are spread among random slots (decision 0025). */
function withoutSlots(rows: Rows): Rows {
  const sums = new Map(rows)
  for (const table of ['client_days', 'developer_days']) {
    const days = new Map<string, Record<string, unknown>>()
    for (const { slot, sign_ins, active_users, ...day } of rows.get(table)?.values() ?? []) {
      const key = JSON.stringify(day)
      const sum = days.get(key) ?? { ...day, sign_ins: 0, active_users: 0 }
      days.set(key, {
        ...sum,
        sign_ins: Number(sum.sign_ins) + Number(sign_ins),
        active_users: Number(sum.active_users) + Number(active_users),
      })
    }
    sums.set(table, days)
  }
  return sums
}

function bodyOf({ body, headers }: LightMyRequestResponse): Record<string, unknown> | undefined {
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : undefined
}

/** The code of an authorization response, in whatever mode. */
function codeOf({ body, headers: { location } }: LightMyRequestResponse): string | undefined {
  return /\bcode(?:=|" value=")([\w-]{52})(?![\w-])/.exec(`${location ?? ''} ${body}`)?.[1]
}

function textOf(answer: LightMyRequestResponse): string {
  const { 'x-request-id': id, date, 'content-length': length, location, ...headers } = answer.headers
  const right = length === undefined || Number(length) === Buffer.byteLength(answer.body)
  const body = bodyOf(answer)
  const code = codeOf(answer)
  const withoutCode = (text: unknown) =>
    String(text)
      .replaceAll(String(id), '(request id)')
      .replaceAll(code ?? '\0', '(code)')
      .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '(JWT)')
      .replaceAll(/\/authorize\/[\w-]{43}/g, '/authorize/(uid)')
  const shown = body
    ? Object.entries(body).map(([name, value]) => [
        name,
        isToken(name) ? tokenText(String(value)) : withoutCode(JSON.stringify(value)),
      ])
    : withoutCode(answer.body)
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([
    answer.statusCode,
    sorted.map(([name, value]) => [name, name === 'set-cookie' ? cookieNames(value) : value]),
    location === undefined ? '' : withoutCode(location),
    Boolean(id && date && right),
    shown,
  ])
}

function cookieNames(value: unknown): string[] {
  return [value].flat().map((cookie) => String(cookie).split('=')[0] ?? '')
}

function isToken(name: string): boolean {
  return (TOKENS as readonly string[]).includes(name)
}

/** A JWT without its times, its id and what is encrypted; the difference of its times. */
function tokenText(token: string): unknown {
  if (OPAQUE.test(token)) return '(opaque)'
  if (token.split('.').length !== 3) return `(malformed) ${token}`
  const { iat = 0, exp = 0, jti, auth_time, grant, ...claims } = decodeJwt(token)
  const random = typeof jti === 'string' && JTI.test(jti) ? '(random)' : jti
  return [decodeProtectedHeader(token), sortedEntries(claims), exp - iat, random, typeof auth_time, typeof grant]
}

/** Columns and members that are random, or depend on the machine's clock. */
const RANDOM = new Set([
  'id',
  'id_hash',
  'iiat',
  'authTime',
  'codeChallenge',
  'code_challenge',
  'cid',
  'exp',
  'iat',
  'generation',
])

function rowText(row: Record<string, unknown>, names: ReadonlyMap<string, string>): string {
  const entries = Object.entries(row).map(([name, value]) => {
    if (name === 'token_hash') return [name, names.get(String(value)) ?? '(other)']
    if (name === 'payload') return [name, payloadText(value)]
    return [name, RANDOM.has(name) ? typeof value : value]
  })
  return JSON.stringify(entries)
}

function payloadText(value: unknown): unknown {
  try {
    return sortedEntries(JSON.parse(String(value))).map(([name, one]) => [name, RANDOM.has(name) ? typeof one : one])
  } catch {
    return typeof value
  }
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}
