import { LIMITS, type Problem } from '@vrata/contract'
import escapeHtml from 'escape-html'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/config.ts'
import { CookieJar } from '../cookies.ts'

/** Fields of forms without script that are filled in again after an error. No passwords and no codes. */
const FIELDS = ['username', 'email', 'first_name', 'last_name'] as const

type Fields = Partial<Record<(typeof FIELDS)[number], string>>

/** Data of a refused form that the page shows: its fields, and the reason why an account is disabled. */
type Kept = { entered: Fields; reason: string }

/**
 * Keeps what was entered, and the reason of the problem, in a cookie: an address is no part of a URL, which is logged and stays in the history, and
 * nothing of a URL is shown.
 */
export function storeEnteredFields(
  config: Pick<Config, 'secure'>,
  reply: FastifyReply,
  body: unknown,
  { params }: Pick<Problem, 'params'>,
): void {
  const sent: Record<string, unknown> = { ...(body as object | undefined), reason: params?.reason }
  const entered = [...FIELDS, 'reason'].flatMap((name): [string, string][] => {
    const value = sent[name]
    return typeof value === 'string' && value !== '' && value.length <= LIMITS.email_max ? [[name, value]] : []
  })
  if (entered.length === 0) return
  const jar = new CookieJar(config, undefined)
  jar.write('entered', new URLSearchParams(entered).toString())
  reply.header('set-cookie', jar.headers())
}

/** Takes what was kept: the next page that shows the form has it, and no page after that. */
export function consumeEnteredFields(
  config: Pick<Config, 'secure'>,
  cookies: string | undefined,
  reply: FastifyReply,
): Kept {
  const jar = new CookieJar(config, cookies)
  const kept = new URLSearchParams(jar.read('entered') ?? '')
  if (kept.size > 0) {
    jar.clear('entered')
    reply.header('set-cookie', jar.headers())
  }
  const entered = Object.fromEntries(FIELDS.flatMap((name) => (kept.has(name) ? [[name, kept.get(name)]] : [])))
  return { entered, reason: kept.get('reason') ?? '' }
}

/** Fills the fields of a prerendered form. */
export function withEntered(html: string, entered: Fields): string {
  return Object.entries(entered).reduce(
    (filled, [name, value]) => filled.replace(` name="${name}"`, (found) => `${found} value="${escapeHtml(value)}"`),
    html,
  )
}
