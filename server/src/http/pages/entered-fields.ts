import { LIMITS } from '@vrata/contract'
import escapeHtml from 'escape-html'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/config.ts'
import { CookieJar } from '../cookies.ts'

/** Fields of forms without script that are filled in again after an error. No passwords and no codes. */
const FIELDS = ['username', 'email', 'first_name', 'last_name'] as const

type Fields = Partial<Record<(typeof FIELDS)[number], string>>

/** Keeps what was entered in a cookie: an address is no part of a URL, which is logged and stays in the history. */
export function storeEnteredFields(config: Pick<Config, 'secure'>, reply: FastifyReply, body: unknown): void {
  const sent = (body ?? {}) as Record<string, unknown>
  const entered = FIELDS.flatMap((name): [string, string][] => {
    const value = sent[name]
    return typeof value === 'string' && value !== '' && value.length <= LIMITS.email_max ? [[name, value]] : []
  })
  if (entered.length === 0) return
  const jar = new CookieJar(config, undefined)
  jar.write('entered', new URLSearchParams(entered).toString())
  reply.header('set-cookie', jar.headers())
}

/** Takes what was entered: the next page that shows the form has it, and no page after that. */
export function consumeEnteredFields(
  config: Pick<Config, 'secure'>,
  cookies: string | undefined,
  reply: FastifyReply,
): Fields {
  const jar = new CookieJar(config, cookies)
  const kept = jar.read('entered')
  if (!kept) return {}
  jar.clear('entered')
  reply.header('set-cookie', jar.headers())
  const entered = new URLSearchParams(kept)
  return Object.fromEntries(FIELDS.flatMap((name) => (entered.has(name) ? [[name, entered.get(name)]] : [])))
}

/** Fills the fields of a prerendered form. */
export function withEntered(html: string, entered: Fields): string {
  return Object.entries(entered).reduce(
    (filled, [name, value]) => filled.replace(` name="${name}"`, (found) => `${found} value="${escapeHtml(value)}"`),
    html,
  )
}
