// The README of react-oidc-context.
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const oidcConfig = {
  authority: window.ISSUER,
  client_id: window.CLIENT_ID,
  redirect_uri: `${location.origin}/`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email',
  onSigninCallback: () => history.replaceState({}, document.title, location.pathname),
}

function App() {
  const auth = useAuth()
  switch (auth.activeNavigator) {
    case 'signinSilent':
      return <div>Signing you in...</div>
    case 'signoutRedirect':
      return <div>Signing you out...</div>
  }
  if (auth.isLoading) return <div>Loading...</div>
  if (auth.error) return <div>Oops... {auth.error.message}</div>
  if (auth.isAuthenticated) {
    return (
      <div>
        <p>{auth.user?.profile.name}</p>
        <p>{auth.user?.profile.email}</p>
        <code>{auth.user?.access_token}</code>
        <button type="button" onClick={() => void auth.signinSilent()}>
          Renew
        </button>
        <button type="button" onClick={() => void auth.signoutRedirect()}>
          Sign out
        </button>
      </div>
    )
  }
  return (
    <div>
      <p>Signed out</p>
      <button type="button" onClick={() => void auth.signinRedirect()}>
        Sign in
      </button>
    </div>
  )
}

const root = document.createElement('div')
document.body.append(root)
createRoot(root).render(
  <AuthProvider {...oidcConfig}>
    <App />
  </AuthProvider>,
)
