import { clients, type refusals } from '@vrata/contract'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { Refused } from '../slices/clients/door.ts'
import { ClientDisabled } from './client-metadata.ts'
import { unitOfWork } from './unit-of-work.ts'

/** What the engine throws, with what it keeps for its log. */
type EngineError = Error & { error?: string; error_description?: string; error_detail?: string; scope?: string }

/** Listens for what the engine refuses; what an app's developers can do something about is written down with the answer. */
export function noteRefusals(provider: Provider): void {
  provider.on('authorization.error', (ctx, error) => note(ctx, error, authorizationRefusal))
  provider.on('pushed_authorization_request.error', (ctx, error) => note(ctx, error, pushedRefusal))
  provider.on('grant.error', (ctx, error) => note(ctx, error, tokenRefusal))
  provider.on('revocation.error', (ctx, error) => note(ctx, error, tokenRefusal))
}

type Found = Omit<Refused, 'client_id'> | undefined

function note(
  ctx: KoaContextWithOIDC,
  error: EngineError,
  refusalOf: (ctx: KoaContextWithOIDC, error: EngineError) => Found,
): void {
  const { client, params } = ctx.oidc
  const client_id = error instanceof ClientDisabled ? error.client_id : (client?.clientId ?? params?.client_id)
  const found = error instanceof ClientDisabled ? ({ reason: 'client_disabled' } as const) : refusalOf(ctx, error)
  const unit = unitOfWork()
  // The engine tells first what it refused, then what it makes of that; the address is what has to be mended.
  if (found && typeof client_id === 'string' && unit.refused?.reason !== 'redirect_uri') {
    unit.refused = { client_id, ...found }
  }
}

/** RFC 6749 §4.1.2.1. That somebody has to sign in, or says no, is an answer and no refusal. */
function authorizationRefusal({ oidc }: KoaContextWithOIDC, error: EngineError): Found {
  const { params } = oidc
  if (error instanceof errors.InvalidRedirectUri) {
    return { reason: 'redirect_uri', detail: addressOf(params?.redirect_uri) }
  }
  if (error instanceof errors.InvalidScope) return { reason: 'scope', detail: wordOf((error as EngineError).scope) }
  if (error instanceof errors.UnsupportedResponseType || /response_type/.test(error.error_description ?? '')) {
    return { reason: 'response_type', detail: wordOf(params?.response_type) }
  }
  if (error instanceof errors.InvalidRequestUri) return { reason: 'request_uri' }
  if (error instanceof errors.InvalidRequestObject) return { reason: 'request_object', detail: ownWords(error) }
  if (!(error instanceof errors.InvalidRequest) || error instanceof errors.SessionNotFound) return undefined
  if (/^Pushed Authorization Request must be used/.test(error.error_description ?? ''))
    return { reason: 'par_required' }
  if (/requires PKCE/.test(error.error_description ?? '')) return { reason: 'pkce_missing' }
  if (/code_challenge_method/.test(error.error_description ?? '')) {
    return { reason: 'pkce_method', detail: wordOf(params?.code_challenge_method) }
  }
  return { reason: 'authorization_request', detail: ownWords(error) }
}

/** RFC 9126 §2.3: the app has to prove who it is as at the token endpoint, and to ask as at the other one. */
function pushedRefusal(ctx: KoaContextWithOIDC, error: EngineError): Found {
  return proofRefusal(ctx, error) ?? authorizationRefusal(ctx, error)
}

/** The app's own proof, of itself (RFC 6749 §2.3, RFC 7523 §3) and of the key that its tokens are bound to (RFC 9449 §5). */
function proofRefusal({ oidc }: KoaContextWithOIDC, error: EngineError): Found {
  const why = reasonOf(error)
  if (/missing DPoP proof|DPoP proof JWT not provided/.test(why)) return { reason: 'dpop_missing' }
  // That a nonce is wanted is a step of the protocol (RFC 9449 §8).
  if (/DPoP/.test(why) && error.error !== 'use_dpop_nonce') return { reason: 'dpop_proof', detail: ownWords(error) }
  const byKey = oidc.client?.clientAuthMethod === 'private_key_jwt'
  if (/^(the provided authentication mechanism does not match|no client authentication mechanism)/.test(why)) {
    return { reason: byKey ? 'assertion_missing' : 'secret_missing' }
  }
  if (/client_assertion/.test(why) || (byKey && error.error === 'invalid_client')) {
    return { reason: 'assertion', detail: ownWords(error) }
  }
  return error.error === 'invalid_client' && /invalid secret/.test(why) ? { reason: 'secret_wrong' } : undefined
}

const OF_CODE: [RegExp, refusals.Reason][] = [
  [/redirect_uri mismatch/, 'redirect_uri_changed'],
  [/code_verifier|code_challenge/, 'code_verifier'],
]

/** RFC 6749 §5.2. */
function tokenRefusal(ctx: KoaContextWithOIDC, error: EngineError): Found {
  const { params } = ctx.oidc
  const why = reasonOf(error)
  if (/^\S* ?origin .* not allowed/.test(why)) return { reason: 'origin', detail: addressOf(ctx.get('origin')) }
  const proof = proofRefusal(ctx, error)
  if (proof) return proof
  switch (error.error) {
    case 'invalid_grant': {
      if (params?.grant_type === 'refresh_token') return { reason: 'refresh_token' }
      // A device that asks on after its answer; there is nothing to mend.
      if (params?.grant_type === clients.DEVICE_GRANT) return undefined
      return { reason: OF_CODE.find(([pattern]) => pattern.test(why))?.[1] ?? 'code' }
    }
    case 'unsupported_grant_type':
      return { reason: 'grant_type', detail: wordOf(params?.grant_type) }
    case 'invalid_scope':
      return { reason: 'scope', detail: wordOf(error.scope) }
    case 'invalid_request':
      if (/grant type is not allowed/.test(why)) return { reason: 'grant_type', detail: wordOf(params?.grant_type) }
      if (/code_verifier/.test(why)) return { reason: 'code_verifier' }
      return { reason: 'token_request', detail: ownWords(error) }
    default:
      return undefined
  }
}

/** Without query, fragment and user: what somebody's app writes there may be theirs alone. */
export function addressOf(value: unknown): string {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  if (!url || typeof value !== 'string' || /[^\x21-\x7e]/.test(value)) return ''
  const bare = value.split(/[?#]/)[0] ?? ''
  return bare === value ? bare.replace(/\/\/[^/@]*@/, '//') : `${bare.replace(/\/\/[^/@]*@/, '//')}?…`
}

/** A word of the protocol; anything else that came in its place is not repeated. */
function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w .:/-]{1,100}$/.test(value) ? value : ''
}

/** What the engine says of it: to its log where that says more than the answer. */
function reasonOf({ error_detail, error_description = '' }: EngineError): string {
  return typeof error_detail === 'string' ? error_detail : error_description
}

/** The engine's own sentence, which names parameters and never their values. */
function ownWords(error: EngineError): string {
  const words = reasonOf(error)
  return /^[\w .,:;'()/-]{1,150}$/.test(words) ? words : ''
}
