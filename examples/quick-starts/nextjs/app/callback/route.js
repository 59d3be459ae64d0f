import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import * as oidc from 'openid-client'
import { cookie, redirectUri, vrata } from '../../vrata.js'

export async function GET(request) {
  const jar = await cookies()
  const { verifier, state } = JSON.parse(jar.get('authorization')?.value ?? '{}')
  const { search } = new URL(request.url)
  const tokens = await oidc.authorizationCodeGrant(await vrata(), new URL(search, redirectUri), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const user = await oidc.fetchUserInfo(await vrata(), tokens.access_token, tokens.claims().sub)
  jar.delete('authorization')
  // Only for display. Start a session of your app for user.sub here.
  jar.set('name', user.name ?? user.sub, cookie)
  redirect('/')
}
