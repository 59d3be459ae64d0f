// UserManager of oidc-client-ts with the settings that its documentation requires.
import { UserManager } from 'oidc-client-ts'
import { renderPage } from '../render-page.js'

const userManager = new UserManager({
  authority: window.ISSUER,
  client_id: window.CLIENT_ID,
  redirect_uri: `${location.origin}/`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email',
})

function show(user) {
  renderPage(user && { ...user.profile, accessToken: user.access_token }, {
    'Sign in': () => userManager.signinRedirect(),
    Renew: async () => show(await userManager.signinSilent()),
    'Sign out': () => userManager.signoutRedirect(),
  })
}

if (new URLSearchParams(location.search).has('code')) {
  await userManager.signinRedirectCallback()
  history.replaceState(null, '', '/')
}
show(await userManager.getUser())
