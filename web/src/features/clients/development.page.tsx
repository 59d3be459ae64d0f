import { AdvancedCard } from './advanced-card.tsx'
import { CredentialsCard } from './credentials-card.tsx'
import { ExpertCard } from './expert-card.tsx'
import { OriginsCard } from './origins-card.tsx'
import { RedirectUrisCard } from './redirect-uris-card.tsx'
import { RefusalsCard } from './refusals-card.tsx'
import { SignOutUrisCard } from './sign-out-uris-card.tsx'
import { useClient } from './use-client.ts'

/** What the makers of an app set up: credentials, addresses, and how strictly it must prove itself. */
export function DevelopmentPage() {
  const app = useClient()
  return (
    <div className="max-w-240 space-y-6">
      <CredentialsCard app={app} />
      <RefusalsCard app={app} />
      {/* A service signs nobody in, and what is installed on a device has no origin. */}
      {app.type !== 'service' && <RedirectUrisCard app={app} />}
      {(app.type === 'web' || app.type === 'spa') && <OriginsCard app={app} />}
      {app.type !== 'service' && <SignOutUrisCard app={app} />}
      <AdvancedCard app={app} />
      <ExpertCard app={app} />
    </div>
  )
}
