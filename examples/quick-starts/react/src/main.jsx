import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const vrata = {
  authority: 'https://id.example.com',
  client_id: 'YOUR_CLIENT_ID',
  redirect_uri: 'http://localhost:4000/',
  scope: 'openid profile email',
  loadUserInfo: true,
  // Removes the used code from the address bar.
  onSigninCallback: () => history.replaceState(null, '', '/'),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading…</p>
  if (auth.error) return <p>{auth.error.message}</p>
  if (auth.user) return <h1>Hello, {auth.user.profile.name ?? auth.user.profile.sub}</h1>
  return (
    <button type="button" onClick={() => auth.signinRedirect()}>
      Sign in with Vrata
    </button>
  )
}

createRoot(document.getElementById('root')).render(
  <AuthProvider {...vrata}>
    <App />
  </AuthProvider>,
)
