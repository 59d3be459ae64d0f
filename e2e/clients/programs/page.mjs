/** Settings that every program gets as environment variables. */
export const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
export const HOME = `http://localhost:${PORT}`

/** The page of every program: who is signed in, and the access token, so that a renewal can be seen. */
export function page(user, signIn = '/sign-in') {
  const body = user
    ? `<p>${user.name}</p><p>${user.email}</p><code>${user.accessToken}</code><a href="/renew">Renew</a> <a href="/sign-out">Sign out</a>`
    : `<p>Signed out</p><a href="${signIn}">Sign in</a>`
  return `<!doctype html><meta charset="utf-8"><title>Client</title>${body}`
}

/** Where RP-Initiated Logout begins, for libraries without a function for it. */
export function endSessionUrl(idToken, returnTo = `${HOME}/`) {
  const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: returnTo })
  return `${ISSUER}/end-session?${query}`
}
