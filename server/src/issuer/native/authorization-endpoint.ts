import { LIFETIMES } from '@vrata/contract'
import escapeHtml from 'escape-html'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { timeAfter, toJson } from '../../db/values.ts'
import { allowedScopes, lastUseAfter } from '../../features/connections/public.ts'
import { signedInAfter } from '../../features/sessions/public.ts'
import { headersOf, type IssuerContext } from '../endpoints/serve-provider.ts'
import { acrOf } from '../interactions/acr.ts'
import { nextStep } from '../interactions/next-step.ts'
import { amrOf, sidOf } from '../interactions/provider-session.ts'
import { MetadataDocuments } from '../metadata-documents/metadata-documents.ts'
import { assertRedirectUri } from '../provider/clients/registered-redirect-uri.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { recordSignIn, recordUse } from '../request/record-use.ts'
import type { SignedInRow } from '../request/signed-in-store.ts'
import { grantIdOf } from '../tokens/grant-ids.ts'
import type { FoundToken, TokenRow } from '../tokens/store.ts'
import { newTimedToken, tokenKey } from '../tokens/token-keys.ts'
import { answerNatively } from './answer-natively.ts'
import { AUTHORIZATION_RULES, type AuthorizationForm, authorizationForm } from './authorization-rules.ts'
import { isCommitted } from './is-committed.ts'
import { hold } from './rules.ts'

/**
 * Answers an authorization request with a code when its user is signed in and has allowed what it asks for. Returns false, and has
 * written nothing, when oidc-provider has to answer (decision 0096).
 */
export async function answerAuthorization(
  context: IssuerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { config } = context.deps
  const form = config.native_tokens && acceptsHtml(request) ? authorizationForm(request.url) : undefined
  if (!form) return false
  const granted = await answerNatively(context, request, (one) => grant(one, form, config.url))
  if (!granted) return false
  request.client_id = form.client_id as string
  request.user_id = granted.user_id
  request.native = true
  send(config, request, reply, granted.location)
  return true
}

/** The address of the client with a code that is stored. The next request may need what was found and stored (decision 0097). */
async function grant(
  request: ProviderRequest,
  form: AuthorizationForm,
  iss: string,
): Promise<{ location: string; user_id: string } | undefined> {
  const found = await codeFor(request, form)
  const location = found && locationOf(form, found.code, iss)
  if (!location || !isPlainUrl(location) || !(await isCommitted(request))) return undefined
  remember(request, found)
  return { location, user_id: found.session.user_id }
}

type Issued = { code: string; row: TokenRow; session: SignedInRow }

async function codeFor(request: ProviderRequest, form: AuthorizationForm): Promise<Issued | undefined> {
  const { reads, now, nowText } = request
  const { client_id = '', redirect_uri = '', scope = '', nonce, code_challenge, code_challenge_method } = form
  if (MetadataDocuments.isAddress(client_id)) return undefined
  const client = await reads.client(client_id)
  const session = client && (await reads.sessionFor(client_id))
  const scopes = [...new Set(scope.split(' '))].filter((one) => one !== 'offline_access')
  if (!session || !hold(AUTHORIZATION_RULES, { client, form, scopes })) return undefined
  // The write asserts both, too. oidc-provider answers for test sign-ins and for loopback addresses, whose port may vary.
  if (!client.enabled || !client.redirect_uris.includes(redirect_uri)) return undefined
  const { id: session_id, user_id } = session
  const [user, connection] = await Promise.all([reads.user(user_id), reads.connection(user_id, client_id)])
  const acr = acrOf(session)
  const step = nextStep({
    request: {
      scopes,
      prompts: new Set(),
      max_age: undefined,
      sub: undefined,
      acr: undefined,
      unidentified: false,
      requested_at: now,
      decision: undefined,
    },
    session: {
      sub: user_id,
      authenticated_at: new Date(session.authenticated_at),
      acr,
      incomplete: session.next_step !== null,
    },
    user: user && user.disabled_at === null ? { email_verified: user.email_verified_at !== null } : undefined,
    connection,
    blocked: connection?.blocked === true,
    access: connection?.left_out === false,
    now,
  })
  if (step !== 'done' || !connection) return undefined
  const granted = allowedScopes(connection.scopes, client.scopes).filter((one) => scopes.includes(one))
  if (granted.length === 0) return undefined
  const code = newTimedToken(now)
  const needsSid = Boolean(client.backchannel_logout_uri) || client.frontchannel_logout_uri !== null
  const row: TokenRow = {
    token_hash: tokenKey(code),
    kind: 'AuthorizationCode',
    connection_id: connection.id,
    session_id,
    client_id,
    user_id,
    grant_id: grantIdOf(connection.id, session_id),
    payload: toJson({
      acr,
      amr: amrOf(session),
      authTime: request.toProviderTime(session.authenticated_at),
      codeChallenge: code_challenge,
      codeChallengeMethod: code_challenge_method,
      nonce,
      redirectUri: redirect_uri,
      scope: granted.join(' '),
      // Without `offline_access` tokens end with their session (decision 0035).
      expiresWithSession: true,
      ...(needsSid ? { sid: sidOf(session_id, client_id) } : {}),
    }),
    created_at: nowText,
    expires_at: timeAfter(now, LIFETIMES.authorization_code),
    consumed_at: null,
  }
  request.tokens.create(row)
  request.writes.push(assertRedirectUri(client, redirect_uri))
  recordUse(request, { client_id, user_id, signed_in: true })
  recordSignIn(request, { user_id, session_id, client_id }, session.signed_in_at)
  return { code, row, session }
}

/** Remembers the session and the code as they are found after the commit. */
function remember({ options: { remembered }, reads, now }: ProviderRequest, { row, session }: Issued): void {
  if (!remembered) return
  const signed_in_at = signedInAfter(session.signed_in_at, now)
  const signedIn = { ...session, last_used_at: lastUseAfter(session, now), signed_in_at }
  reads.rememberSignedIn(signedIn)
  remembered.put(row.token_hash, asFound(row, signedIn))
}

/** A token as `findToken` will find it. */
function asFound(token: TokenRow, row: SignedInRow): FoundToken {
  return {
    ...token,
    ended_at: null,
    idle_until: row.idle_until,
    session_expires_at: row.expires_at,
    allowed: row.scopes,
    declined: row.declined,
    allowed_client_id: token.client_id,
    blocked_at: row.blocked_at,
    access_lost_at: row.access_lost_at,
    last_used_at: row.last_used_at,
    disabled_at: row.disabled_at,
    token_generation: row.token_generation,
    id: row.user_id,
    email: row.email,
    email_verified_at: row.email_verified_at,
    username: row.username,
    first_name: row.first_name,
    last_name: row.last_name,
    profile_picture: row.profile_picture,
    phone_number: row.phone_number,
    birth_date: row.birth_date,
    country_code: row.country_code,
    gender: row.gender,
    language: row.language,
    allow_personalized_ads: row.allow_personalized_ads,
    updated_at: row.updated_at,
    groups: row.groups,
    changing: row.changing,
  }
}

/** RFC 6749 §4.1.2, RFC 9207. */
function locationOf({ redirect_uri = '', state }: AuthorizationForm, code: string, iss: string): string {
  const url = new URL(redirect_uri)
  url.searchParams.set('code', code)
  if (state !== undefined) url.searchParams.set('state', state)
  url.searchParams.set('iss', iss)
  return url.href
}

/** Whether a URL is a header as it is. oidc-provider encodes others. */
function isPlainUrl(url: string): boolean {
  return /^[!#-;=?-_a-z~|]+$/.test(url) && !/%(?![\da-f]{2})/i.test(url)
}

function acceptsHtml({ headers: { accept } }: FastifyRequest): boolean {
  return accept === undefined || accept === '*/*' || accept.startsWith('text/html,') || accept === 'text/html'
}

function send(
  config: IssuerContext['deps']['config'],
  request: FastifyRequest,
  reply: FastifyReply,
  location: string,
): void {
  const body = `Redirecting to ${escapeHtml(location)}.`
  const headers = headersOf(config, request, reply)
  reply.hijack()
  reply.raw.writeHead(303, {
    ...(headers as Record<string, string>),
    'cache-control': 'no-store',
    location,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  reply.raw.end(body)
}
