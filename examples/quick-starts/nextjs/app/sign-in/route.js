import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import * as oidc from 'openid-client'
import { cookie, redirectUri, vrata } from '../../vrata.js'

export async function GET() {
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  const jar = await cookies()
  jar.set('authorization', JSON.stringify({ verifier, state }), { ...cookie, maxAge: 600 })
  const authorizationUrl = oidc.buildAuthorizationUrl(await vrata(), {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  redirect(authorizationUrl.href)
}
