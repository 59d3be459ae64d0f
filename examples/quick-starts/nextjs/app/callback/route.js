import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import * as oidc from 'openid-client'
import { cookie, redirectUri, vrata } from '../../vrata.js'

export async function GET(request) {
  const jar = await cookies()
  const { verifier, state } = JSON.parse(jar.get('pending')?.value ?? '{}')
  const { search } = new URL(request.url)
  const tokens = await oidc.authorizationCodeGrant(await vrata(), new URL(search, redirectUri), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const person = await oidc.fetchUserInfo(await vrata(), tokens.access_token, tokens.claims().sub)
  jar.delete('pending')
  // For showing only: begin a session of your own here, for person.sub.
  jar.set('name', person.name ?? person.sub, cookie)
  redirect('/')
}
