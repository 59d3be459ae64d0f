// With a bundler: import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
const { InMemoryWebStorage, UserManager, WebStorageStateStore } = window.oidc

const vrata = new UserManager({
  authority: '{ISSUER}',
  client_id: '{CLIENT_ID}',
  redirect_uri: `${location.origin}/`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email',
  loadUserInfo: true,
  // Tokens are only in memory, so that no later script can read them. After a reload the user presses the button again, and
  // needs no password while signed in at Vrata.
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  // The state of an authorization request must survive the redirect, but not the tab.
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
  // Refreshes the access token shortly before it expires, and revokes both tokens at sign-out.
  automaticSilentRenew: true,
  revokeTokensOnSignout: true,
})

const element = (id) => document.getElementById(id)

function show(user, message) {
  element('status').textContent =
    message ?? (user ? `Hello, ${user.profile.name ?? user.profile.sub}.` : 'You are not signed in.')
  element('sign-in').hidden = Boolean(user)
  element('renew').hidden = element('sign-out').hidden = !user
}

/** Runs an action on click and shows its error, such as a network error or a revoked token. */
const onClick = (id, action) => {
  element(id).onclick = () => action().catch((error) => show(null, `Something went wrong: ${error.message}`))
}

onClick('sign-in', () => vrata.signinRedirect())
onClick('sign-out', () => vrata.signoutRedirect())
onClick('renew', async () => show(await vrata.signinSilent(), 'The access token was renewed.'))

// If the refresh fails, the user has signed out elsewhere or revoked access.
vrata.events.addSilentRenewError(() => vrata.removeUser())
vrata.events.addUserUnloaded(() => show(null))

try {
  const response = new URLSearchParams(location.search)
  if (response.has('code') || response.has('error')) {
    // Removes the code from the address bar, so that a reload does not send it again.
    const callbackUrl = location.href
    history.replaceState(null, '', '/')
    await vrata.signinRedirectCallback(callbackUrl)
  }
  show(await vrata.getUser())
} catch (error) {
  show(null, error.error === 'access_denied' ? 'You did not allow Bonaca.' : `Something went wrong: ${error.message}`)
}
