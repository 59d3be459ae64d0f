import type { ClientInfo } from '@vrata/contract/clients'
import { paths } from '@vrata/contract/page-addresses'

/** Authorization request of a test sign-in (RFC 6749 §4.1.1) with the scopes of the app. */
export type TestRequest = { url: string; state: string; nonce: string; code_verifier: string }

export async function createTestRequest(app: Pick<ClientInfo, 'client_id' | 'scopes'>): Promise<TestRequest> {
  const [state, nonce, code_verifier] = [randomText(), randomText(), randomText()]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: location.origin + paths.testSignIn,
    scope: app.scopes.join(' ') || 'openid',
    // The developer sees what a person sees who signs in for the first time.
    prompt: 'consent',
    state,
    nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  return { url: `/authorize?${query}`, state, nonce, code_verifier }
}

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
