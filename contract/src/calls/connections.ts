import { z } from 'zod'
import * as f from '../http/fields.ts'
import { type DataOf, route } from '../http/route.ts'

/** A client as the consent screen shows it (product §2.1). */
export const clientCard = z.object({
  client_id: f.clientId,
  /** Of an unregistered client: the host that publishes its metadata, which is all that has been verified. */
  name: z.string(),
  icon: f.picture,
  description: z.string().nullable(),
  home_page_url: z.string().nullable(),
  privacy_policy_url: z.string().nullable(),
  terms_of_service_url: z.string().nullable(),
  developer: z.object({ name: z.string(), logo: f.picture, website: z.string().nullable() }),
  /** Operators of the installation have checked the app, or its organization. */
  verified: z.boolean(),
  /**
   * The client is identified by its metadata document alone (draft-ietf-oauth-client-id-metadata-document): the name that
   * it gives itself; null for a registered client.
   */
  claimed_name: z.string().nullable(),
})
export type ClientCard = z.output<typeof clientCard>

export const scopeText = z.object({ key: f.scopeKey, title: z.string(), description: z.string() })

/** The device that requests authorization (RFC 8628), as far as its request tells. */
export const requestingDevice = z.object({
  os: z.string().nullable(),
  browser: z.string().nullable(),
  location: z.string().nullable(),
  ip: z.string(),
  asked_at: f.time,
})
export type RequestingDevice = z.output<typeof requestingDevice>

/** A backchannel authentication request as its page shows it, besides the app and its scopes. */
export const openRequest = z.object({
  /** Shown by the app, too, so that the user can compare (OpenID Connect CIBA Core §7.1). */
  binding_message: z.string().nullable(),
  asked_at: f.time,
  age: f.age,
  expires_at: f.time,
  /** Seconds left when the call is answered: the clock of the browser may be wrong. */
  expires_in: z.number().int(),
})
export type OpenRequest = z.output<typeof openRequest>

export const getConsent = route('GET', '/connection/:client/scopes', {
  summary: 'Get the data of the consent screen: the app and the requested scopes, in the language of the page.',
  needs: 'session',
  params: z.object({ client: f.clientId }),
  query: z.object({
    /** Space-separated keys. */
    scopes: z.string().max(4000).default(''),
    /** Authorization request of this user that waits for consent. */
    uid: f.id.optional(),
  }),
  data: z.object({
    client: clientCard,
    /** The user has allowed this app before. */
    connected: z.boolean(),
    /** Whether the user may use this app at all; if not, the request can only be denied. */
    access: z.boolean(),
    scopes: z.array(
      scopeText.extend({
        granted: z.boolean(),
        /** Cannot be declined. */
        required: z.boolean(),
        /** Is marked on the page and not preselected. */
        sensitive: z.boolean(),
      }),
    ),
    /** Host of the redirect URI of the authorization request. */
    redirect_host: z.string().nullable(),
    /** The device that requests authorization, if it is not this browser. */
    device: requestingDevice.nullable(),
    /** The request of an app that does not wait in this browser (OpenID Connect CIBA Core). */
    request: openRequest.nullable(),
  }),
  problems: ['unknown_scope', 'not_found', 'client_disabled', 'client_not_approved'],
})
export type Consent = z.output<typeof getConsent.data>

export const submitConsent = route('PUT', '/connection/:client/scopes', {
  summary:
    'Grant these scopes in addition to those granted before; with `uid`, continue or deny that authorization request.',
  needs: 'session',
  params: z.object({ client: f.clientId }),
  body: z.object({
    scopes: z.array(f.scopeKey).max(200),
    uid: f.id.optional(),
    deny: z.boolean().optional(),
  }),
  data: z.object({ scopes: z.array(z.string()), redirect_to: z.string().optional() }),
  problems: [
    'unknown_scope',
    'not_found',
    'client_disabled',
    'client_not_approved',
    'user_blocked',
    'no_access',
    'email_not_verified',
    'limit_reached',
  ],
})

export const connection = z.object({
  client: clientCard,
  scopes: z.array(scopeText),
  connected_at: f.time,
  last_used_at: f.time.nullable(),
  disabled: z.boolean(),
  /** Page of the app that starts a sign-in there (OpenID Connect Core §4); null without one. */
  open_url: z.string().nullable(),
  /** Services that have acted for the user in this app (RFC 8693); the last use to the day. */
  services: z.array(z.object({ client: clientCard, last_used_at: f.time })),
})
export type Connection = z.output<typeof connection>

export const listConnections = route('GET', '/connection', {
  summary: 'List the connected apps of the user.',
  needs: 'session',
  data: z.array(connection),
})

export const removeConnection = route('DELETE', '/connection/:client', {
  summary: 'Disconnect an app. Its codes, access tokens and refresh tokens are revoked at once.',
  needs: 'session',
  params: z.object({ client: f.clientId }),
  data: f.nothing,
  problems: ['not_found'],
})

export const revokeScope = route('DELETE', '/connection/:client/scopes/:key', {
  summary: 'Revoke one scope. Codes and access tokens with it are revoked at once; refreshed tokens do not include it.',
  needs: 'session',
  // `openid` cannot be revoked alone, because every sign-in requires it; disconnecting the app revokes everything.
  params: z.object({ client: f.clientId, key: f.scopeKey }),
  data: z.object({ scopes: z.array(z.string()) }),
  problems: ['not_found'],
})

export const listRequests = route('GET', '/connection/requests', {
  summary: 'List the apps that ask the user to sign in and wait for the answer (CIBA), newest first.',
  needs: 'session',
  data: z.array(
    openRequest.extend({
      uid: f.id.meta({ description: 'for `GET` and `PUT /connection/{client}/scopes`' }),
      client: z.object({ client_id: f.id, name: z.string(), icon: f.picture }),
      scope: z.string(),
    }),
  ),
})
export type Request = DataOf<typeof listRequests>[number]

export const openDeviceCode = route('POST', '/device', {
  summary:
    'Find the authorization request of a user code (RFC 8628) and bind it to this account, for the consent screen.',
  needs: 'session',
  limit: 'code',
  body: z.object({ user_code: z.string().min(1).max(40) }),
  data: z.object({
    uid: f.id.meta({ description: 'for `GET` and `PUT /connection/{client}/scopes`' }),
    client_id: f.clientId,
    scope: z.string(),
  }),
  // `not_found`: unknown code. `expired_code`: expired, answered or bound to another user.
  problems: ['not_found', 'expired_code', 'client_disabled', 'client_not_approved', 'email_not_verified'],
})
