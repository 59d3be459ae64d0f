import { completeSignIn, exchange, messageOf, signInButton } from '{ISSUER}/sign-in.js'

const status = document.getElementById('status')
const failed = (error) => {
  status.textContent = messageOf(error)
}

async function welcome(result) {
  const { claims, access_token } = await exchange(result)
  const response = await fetch('{ISSUER}/userinfo', { headers: { authorization: `Bearer ${access_token}` } })
  const user = await response.json()
  // OpenID Connect Core §5.3.2: both must be the same user.
  if (user.sub !== claims.sub) throw new Error('userinfo is of another user')
  status.textContent = `Hello, ${user.name}.`
}

document.getElementById('sign-in').append(
  signInButton({
    issuer: '{ISSUER}',
    client_id: '{CLIENT_ID}',
    onSuccess: (result) => welcome(result).catch(failed),
    onError: failed,
  }),
)

// This page is also the redirect URI: completes a sign-in by redirect, or passes the result on if it runs in the popup.
completeSignIn()
  .then((result) => result && welcome(result))
  .catch(failed)
