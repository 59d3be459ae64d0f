import { resolve } from 'node:path'
import { z } from 'zod'
import { isLoopbackUrl } from '../lib/loopback.ts'
import { decoded } from './addresses.ts'

/** Where each event of the audit log is sent, too (operators §3). */
export type AuditSinkSettings = { to: 'stdout' } | { to: 'file'; path: string } | { to: 'web'; url: string }

/** `stdout`, `file:PATH` or an https address; http only on loopback. */
const sink = z.string().transform((text, context): AuditSinkSettings => {
  if (text === 'stdout') return { to: 'stdout' }
  const path = /^file:(?!\/\/)(.+)$/.exec(text)?.[1]
  if (path) return { to: 'file', path: resolve(path) }
  const url = URL.parse(text)
  const isWeb = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(text)))
  // Otherwise no delivery would succeed.
  if (isWeb && decoded(url.username + url.password) !== undefined) return { to: 'web', url: text }
  const message = isWeb
    ? 'must have user name and password in which % is written as %25'
    : 'must be stdout, file:PATH or an https address'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

export type AuditSettings = {
  /** Undefined when events are sent nowhere. */
  sink: AuditSinkSettings | undefined
}

/** The part of the environment that concerns the audit log. */
export const AUDIT_VARIABLES = {
  VRATA_AUDIT_SINK: sink.optional(),
}
