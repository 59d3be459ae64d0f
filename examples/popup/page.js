import { completeSignIn, exchange, messageOf, signInButton } from '{ISSUER}/sign-in.js'

const said = document.getElementById('said')
const failed = (error) => {
  said.textContent = messageOf(error)
}

async function welcome(result) {
  const { claims, access_token } = await exchange(result)
  const answer = await fetch('{ISSUER}/userinfo', { headers: { authorization: `Bearer ${access_token}` } })
  const person = await answer.json()
  said.textContent = person.sub === claims.sub ? `Hello, ${person.name}.` : 'Somebody else answered.'
}

document.getElementById('place').append(
  signInButton({
    issuer: '{ISSUER}',
    client_id: '{CLIENT_ID}',
    onSuccess: (result) => welcome(result).catch(failed),
    onError: failed,
  }),
)

// This page is its own redirect URI: it may have been left for the sign-in, or be the popup of its other self.
completeSignIn()
  .then((result) => result && welcome(result))
  .catch(failed)
