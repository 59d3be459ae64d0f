import { createHash, timingSafeEqual } from 'node:crypto'
import { type IssuerClient, recordFirstSignIn } from '../../features/clients/public.ts'
import { withoutHttpsLoopback } from '../provider/compat/compat.ts'
import type { ProviderSnapshot } from '../provider/provider-snapshot.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { tokenKey } from '../tokens/token-keys.ts'
import { grantSource, type SourcePayload } from './grant-source.ts'
import { issueTokens } from './issue-tokens.ts'
import { hold, type Rules } from './rules.ts'
import type { TokenForm } from './token-form.ts'
import type { Granted } from './token-response.ts'

/** RFC 7636 §4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/

type Facts = { client: IssuerClient; payload: SourcePayload; form: TokenForm }

/** The exchange of a code with the proof that it was sent to this client (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export const CODE_RULES: Rules<Facts> = {
  'redirect URI of the code': ({ payload, form }) => payload.redirectUri === form.redirect_uri,
  // The exact ones; oidc-provider answers for loopback addresses, whose port may vary, and for test sign-ins.
  'registered redirect URI': ({ client, form }) => client.redirect_uris.includes(form.redirect_uri ?? ''),
  // A native client has no other one that counts, and so not this grant type.
  'no https loopback address': ({ form }) => withoutHttpsLoopback([form.redirect_uri ?? '']).length === 1,
  'S256 challenge': ({ payload }) => payload.codeChallengeMethod === 'S256',
  'form of the verifier': ({ form }) => VERIFIER.test(form.code_verifier ?? ''),
  'right verifier': ({ payload, form }) => isVerifier(form.code_verifier ?? '', payload.codeChallenge ?? ''),
}

/** The authorization code grant. Undefined: oidc-provider answers. */
export async function authorizationCodeGrant(
  request: ProviderRequest,
  { signers }: Pick<ProviderSnapshot, 'signers'>,
  client: IssuerClient,
  form: TokenForm,
): Promise<Granted | undefined> {
  const { code, redirect_uri, code_verifier } = form
  if (code === undefined || redirect_uri === undefined || code_verifier === undefined) return undefined
  const source = await grantSource(request, client, 'AuthorizationCode', code)
  if (!source || !hold(CODE_RULES, { client, payload: source.payload, form })) return undefined
  request.tokens.consume(code, tokenKey(code))
  if (client.first_sign_in_at === null) request.finalWrites.push((deps) => recordFirstSignIn(deps, client))
  return await issueTokens(request, signers, client, source, {
    gty: 'authorization_code',
    rotations: 0,
    iiat: request.nowText,
  })
}

function isVerifier(verifier: string, challenge: string): boolean {
  const expected = createHash('sha256').update(verifier).digest('base64url')
  return expected.length === challenge.length && timingSafeEqual(Buffer.from(expected), Buffer.from(challenge))
}
