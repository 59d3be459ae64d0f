import { cookieHeader } from '../../../testing/api-client.ts'
import { authorizeUrl, codeFor, credentials, post } from '../third-party.ts'
import type { App, AppName, TwoNodes } from './two-nodes.ts'

export const GRANTS = ['authorization', 'authorization_code', 'refresh_token', 'client_credentials'] as const
export type GrantName = (typeof GRANTS)[number]

/** A request as text, so that it can be wrong in every way. */
export interface RawRequest {
  method: 'POST' | 'GET'
  url: string
  headers: Record<string, string>
  form: [string, string][]
  payload?: string
}

/** Codes, tokens and clients that a case has prepared. */
export interface Prepared {
  nodes: TwoNodes
  app: App
  /** The code or refresh token that the request presents. */
  token: string
  request: RawRequest
}

/** The right request of a grant. `by` creates its code or token. */
export async function prepare(nodes: TwoNodes, grant: GrantName, app: App, by: 'native' | 'engine'): Promise<Prepared> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credentials(app) }
  const request = (form: Record<string, string>): RawRequest => ({
    method: 'POST',
    url: '/token',
    headers,
    form: [
      ...Object.entries(form),
      ...(app.client_secret === null ? [['client_id', app.client_id] as [string, string]] : []),
    ],
  })
  if (grant === 'authorization') {
    const url = new URL(authorizeUrl(app, { nonce: 'a nonce' }), nodes.native.config.url)
    const cookie = cookieHeader(nodes.ana[by].cookies) ?? ''
    const headers = { cookie, accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'user-agent': 'Firefox/146.0' }
    return {
      nodes,
      app,
      token: '',
      request: { method: 'GET', url: url.pathname, headers, form: [...url.searchParams] },
    }
  }
  if (grant === 'client_credentials') {
    const scope = app.client_id === nodes.apps['jwt service'].client_id ? 'books.read' : 'notes.read'
    return { nodes, app, token: '', request: request({ grant_type: grant, scope }) }
  }
  const { form, code } = await codeFor(nodes.ana[by], app, { nonce: 'a nonce' })
  if (grant === 'authorization_code') return { nodes, app, token: code, request: request(form) }
  const answer = await post(nodes[by], app, '/token', form)
  const { refresh_token } = answer.json() as { refresh_token: string }
  return { nodes, app, token: refresh_token, request: request({ grant_type: grant, refresh_token }) }
}

export const TIMES = ['once', 'twice', 'raced'] as const

export interface TokenCase {
  grant: GrantName
  app: AppName
  change: string
  variation: string
  times: (typeof TIMES)[number]
}

/** The apps that use a grant. */
export const APPS_OF: Record<GrantName, readonly AppName[]> = {
  authorization: ['plain', 'public', 'ES256', 'EdDSA', 'minimal', 'pairwise', 'logout'],
  authorization_code: ['plain', 'public', 'ES256', 'EdDSA', 'minimal', 'pairwise', 'logout'],
  refresh_token: ['plain', 'public', 'ES256', 'EdDSA', 'minimal', 'pairwise', 'logout'],
  client_credentials: ['service', 'jwt service'],
}
