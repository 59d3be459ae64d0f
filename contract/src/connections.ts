import { z } from 'zod'
import * as f from './fields.ts'
import { route } from './route.ts'

/** What people are told about an app before they allow it (specification §2, consent). */
export const clientCard = z.object({
  client_id: f.id,
  name: z.string(),
  icon: f.picture,
  description: z.string().nullable(),
  home_page_url: z.string().nullable(),
  privacy_policy_url: z.string().nullable(),
  developer: z.object({ name: z.string(), logo: f.picture, website: z.string().nullable() }),
})
export type ClientCard = z.output<typeof clientCard>

export const scopeText = z.object({ key: f.scopeKey, title: z.string(), description: z.string() })

/** The device that shows a code (RFC 8628), as far as its request tells: where and what it is, and when it asked. */
export const askingDevice = z.object({
  os: z.string().nullable(),
  browser: z.string().nullable(),
  location: z.string().nullable(),
  ip: z.string(),
  asked_at: f.time,
})
export type AskingDevice = z.output<typeof askingDevice>

export const getConsent = route('GET', '/connection/:client/scopes', {
  summary: 'The app and what it asks for, in the language of the person.',
  needs: 'session',
  params: z.object({ client: f.id }),
  query: z.object({
    /** Space-separated keys. */
    scopes: z.string().max(4000).default(''),
    /** A pending authorization request of this person: says also where they will be sent. */
    uid: f.id.optional(),
  }),
  data: z.object({
    client: clientCard,
    scopes: z.array(
      scopeText.extend({
        granted: z.boolean(),
        /** Cannot be left out. */
        required: z.boolean(),
        /** Is pointed out, and not switched on beforehand. */
        sensitive: z.boolean(),
      }),
    ),
    /** Host of the redirect URI of the pending request. */
    redirect_host: z.string().nullable(),
    /** What waits for the answer, if not this browser. */
    device: askingDevice.nullable(),
  }),
  problems: ['unknown_scope', 'not_found', 'client_disabled'],
})
export type Consent = z.output<typeof getConsent.data>

export const putConsent = route('PUT', '/connection/:client/scopes', {
  summary: 'Allow exactly these scopes in addition to what is allowed; with `uid`, go on with (or deny) that request.',
  needs: 'session',
  params: z.object({ client: f.id }),
  body: z.object({
    scopes: z.array(f.scopeKey).max(200),
    uid: f.id.optional(),
    deny: z.boolean().optional(),
  }),
  data: z.object({ scopes: z.array(z.string()), redirect_to: z.string().optional() }),
  problems: ['unknown_scope', 'not_found', 'client_disabled', 'user_blocked', 'email_not_verified'],
})

export const connection = z.object({
  client: clientCard,
  scopes: z.array(scopeText),
  connected_at: f.time,
  last_used_at: f.time.nullable(),
  disabled: z.boolean(),
})
export type Connection = z.output<typeof connection>

export const listConnections = route('GET', '/connection', {
  summary: 'Apps that I have allowed.',
  needs: 'session',
  data: z.array(connection),
})

export const removeConnection = route('DELETE', '/connection/:client', {
  summary: 'Unlink an app: its grant, codes, access and refresh tokens end at once.',
  needs: 'session',
  params: z.object({ client: f.id }),
  data: f.nothing,
  problems: ['not_found'],
})

export const takeBackScope = route('DELETE', '/connection/:client/scopes/:key', {
  summary: 'Take back one scope; codes and access tokens that carry it end at once, and refreshing gives it no more.',
  needs: 'session',
  // `openid` cannot be taken back alone: a sign-in without it is none. Unlinking the app takes back everything.
  params: z.object({ client: f.id, key: f.scopeKey }),
  data: z.object({ scopes: z.array(z.string()) }),
  problems: ['not_found'],
})
