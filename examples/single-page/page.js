// With a bundler: import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
const { InMemoryWebStorage, UserManager, WebStorageStateStore } = window.oidc

const vrata = new UserManager({
  authority: '{ISSUER}',
  client_id: '{CLIENT_ID}',
  redirect_uri: `${location.origin}/`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email',
  loadUserInfo: true,
  // Tokens stay in memory, where nobody finds them later. After a reload people press once more, and need no password as
  // long as they are signed in at Vrata.
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  // What is on its way must outlive the way, but not the tab.
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
  // Shortly before it ends the access token is renewed by the refresh token; both are given back at the sign-out.
  automaticSilentRenew: true,
  revokeTokensOnSignout: true,
})

const element = (id) => document.getElementById(id)

function show(user, words) {
  element('said').textContent =
    words ?? (user ? `Hello, ${user.profile.name ?? user.profile.sub}.` : 'Nobody is signed in.')
  element('sign-in').hidden = Boolean(user)
  element('renew').hidden = element('sign-out').hidden = !user
}

/** What somebody has pressed may fail: no network, or Vrata has ended what we held. */
const pressed = (id, act) => {
  element(id).onclick = () => act().catch((error) => show(null, `That did not work: ${error.message}`))
}

pressed('sign-in', () => vrata.signinRedirect())
pressed('sign-out', () => vrata.signoutRedirect())
pressed('renew', async () => show(await vrata.signinSilent(), 'The access token is new.'))

// When it cannot be renewed, the person has signed out elsewhere or taken back what they allowed.
vrata.events.addSilentRenewError(() => vrata.removeUser())
vrata.events.addUserUnloaded(() => show(null))

try {
  const answer = new URLSearchParams(location.search)
  if (answer.has('code') || answer.has('error')) {
    // Out of the address with the code: it would be tried again with every reload.
    const came = location.href
    history.replaceState(null, '', '/')
    await vrata.signinRedirectCallback(came)
  }
  show(await vrata.getUser())
} catch (error) {
  show(null, error.error === 'access_denied' ? 'You did not allow Bonaca.' : `That did not work: ${error.message}`)
}
