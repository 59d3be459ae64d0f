import { useClient } from '../../../lib/clients/use-client.ts'
import { SaveStatesProvider } from '../../../lib/saved-fields/save-states.tsx'
import { ClientErrorsCard, TestSignInCard } from '../../client-diagnostics/public.ts'
import { CredentialsCard } from '../credentials-card.tsx'
import { OriginsCard } from './addresses/origins-card.tsx'
import { PostLogoutRedirectUrisCard } from './addresses/post-logout-redirect-uris-card.tsx'
import { RedirectUrisCard } from './addresses/redirect-uris-card.tsx'
import { ServerAddressesCard } from './addresses/server-addresses-card.tsx'
import { AdvancedCard } from './advanced-card.tsx'
import { ExpertCard } from './expert-card.tsx'

/** Setup of an app: credentials, errors, addresses and security settings. */
export function ClientDevelopmentPage() {
  const app = useClient()
  return (
    <div className="max-w-240 space-y-6">
      <CredentialsCard app={app} />
      <ServerAddressesCard />
      {app.type !== 'service' && <TestSignInCard app={app} />}
      <ClientErrorsCard app={app} />
      {/* A service has no sign-in, and an installed app has no origin. */}
      {app.type !== 'service' && <RedirectUrisCard app={app} />}
      {(app.type === 'web' || app.type === 'spa') && <OriginsCard app={app} />}
      {app.type !== 'service' && <PostLogoutRedirectUrisCard app={app} />}
      <SaveStatesProvider>
        <AdvancedCard app={app} />
        <ExpertCard app={app} />
      </SaveStatesProvider>
    </div>
  )
}
