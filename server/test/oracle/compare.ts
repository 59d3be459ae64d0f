import type { LightMyRequestResponse } from 'fastify'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { hashToken } from '../../src/lib/ids.ts'
import { changesOf, type Rows } from './rows.ts'

/** One node's answers and what they changed, without random values and times. */
export interface Outcome {
  answers: string[]
  changes: string[]
}

const TOKENS = ['access_token', 'refresh_token', 'id_token'] as const
const OPAQUE = /^[\w-]{43}$/

export function outcomeOf(answers: readonly LightMyRequestResponse[], before: Rows, after: Rows): Outcome {
  const names = new Map<string, string>()
  for (const [i, answer] of answers.entries()) {
    const body = bodyOf(answer)
    for (const name of TOKENS) {
      const token = body?.[name]
      if (typeof token === 'string') names.set(hashToken(token), `${name} ${i}`)
    }
    const code = codeOf(answer)
    if (code) names.set(hashToken(code), `code ${i}`)
  }
  return {
    answers: answers.map(textOf),
    changes: changesOf(before, after, (row) => rowText(row, names)),
  }
}

function bodyOf({ body, headers }: LightMyRequestResponse): Record<string, unknown> | undefined {
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : undefined
}

function codeOf({ headers: { location } }: LightMyRequestResponse): string | null {
  return typeof location === 'string' ? (URL.parse(location)?.searchParams.get('code') ?? null) : null
}

function textOf(answer: LightMyRequestResponse): string {
  const { 'x-request-id': id, date, 'content-length': length, location, ...headers } = answer.headers
  const right = length === undefined || Number(length) === Buffer.byteLength(answer.body)
  const body = bodyOf(answer)
  const code = codeOf(answer)
  const withoutCode = (text: unknown) =>
    String(text)
      .replace(code ?? '\0', OPAQUE.test(code ?? '') ? '(code)' : '(malformed code)')
      .replace(/\/authorize\/[\w-]+/, '/authorize/(uid)')
  const shown = body
    ? Object.entries(body).map(([name, value]) => [name, isToken(name) ? tokenText(String(value)) : value])
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

/** A JWT without its times and its id; the difference of its times. */
function tokenText(token: string): unknown {
  if (OPAQUE.test(token)) return '(opaque)'
  if (token.split('.').length !== 3) return `(malformed) ${token}`
  const { iat = 0, exp = 0, jti, auth_time, ...claims } = decodeJwt(token)
  const random = typeof jti === 'string' && OPAQUE.test(jti) ? '(random)' : jti
  return [decodeProtectedHeader(token), sortedEntries(claims), exp - iat, random, typeof auth_time]
}

/** Columns and members that are random, or depend on the machine's clock. */
const RANDOM = new Set(['id', 'slot', 'iiat', 'authTime', 'codeChallenge'])

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
