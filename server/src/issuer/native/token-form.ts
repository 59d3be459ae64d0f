import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseForm } from './parse-form.ts'

/** Longest form that is read here, in bytes; oidc-provider reads longer ones. */
const MAX_BYTES = 8192
const FORM = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i

/** Parameters of the token requests that are answered here. A request with any other is passed on. */
const PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
] as const
export type TokenForm = Partial<Record<(typeof PARAMETERS)[number], string>>

declare module 'fastify' {
  interface FastifyRequest {
    /** The form as text, when `readShortForms` has read it. */
    form_text?: string
  }
}

/** Reads short forms of this scope as text. Other bodies stay unread, for oidc-provider. */
export function readShortForms(app: FastifyInstance): void {
  app.decorateRequest('form_text')
  app.addContentTypeParser('application/x-www-form-urlencoded', (request, payload, done) => {
    const { 'content-type': type = '', 'content-length': length = '', 'content-encoding': encoding } = request.headers
    if (!FORM.test(type) || encoding !== undefined || !/^\d{1,4}$/.test(length) || Number(length) > MAX_BYTES) {
      done(null)
      return
    }
    const chunks: Buffer[] = []
    payload.on('data', (chunk: Buffer) => chunks.push(chunk))
    payload.on('error', (error: Error) => done(error))
    payload.on('end', () => {
      request.form_text = Buffer.concat(chunks).toString('utf8')
      done(null)
    })
  })
}

/** The parameters of a request whose form was read; undefined when one is unknown, empty or repeated. */
export function tokenForm({ form_text }: Pick<FastifyRequest, 'form_text'>): TokenForm | undefined {
  return form_text ? parseForm(form_text, PARAMETERS) : undefined
}
