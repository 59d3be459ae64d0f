import { useQuery } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useAppContext } from '../../../lib/app-context.tsx'
import { redirectUris } from '../../../lib/clients/client-queries.ts'
import { useClient } from '../../../lib/clients/use-client.ts'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { SaveStatesProvider } from '../../../lib/saved-fields/save-states.tsx'
import { useUser } from '../../../lib/session.ts'
import { WithAside } from '../../../ui/layout/with-aside.tsx'
import { ConsentPreview } from '../../scopes/public.ts'
import { StatisticsCard } from '../../statistics/public.ts'
import { CredentialsCard } from '../credentials-card.tsx'
import { AccessCard } from './access-card.tsx'
import { ClientInfoForm } from './client-info-form.tsx'
import { DangerCard } from './danger-card.tsx'

/** Details of an app beside a preview of its consent screen. */
export function ClientDetailsPage() {
  const app = useClient()
  const uris = useQuery(redirectUris(useAppContext(), app.client_id)).data ?? []
  const [typed, setTyped] = useState({ saved: app.name, name: app.name })
  // Empty once a name was saved, here or by another member: the saved one counts.
  const name = typed.saved === app.name ? typed.name.trim() : ''
  const live = can(useUser(), clients.updateClientInfo)
  const host = hostOf(uris[0]) ?? hostOf(app.home_page_url)
  const cards = (
    <>
      <SaveStatesProvider>
        <ClientInfoForm app={app} onName={(name) => setTyped({ saved: app.name, name })} />
      </SaveStatesProvider>
      <AccessCard app={app} />
      <CredentialsCard app={app} />
      <StatisticsCard client_id={app.client_id} />
      <DangerCard app={app} />
    </>
  )
  // Services never ask for consent.
  if (app.type === 'service') return <div className="max-w-240 space-y-6">{cards}</div>
  const preview = <ConsentPreview app={{ ...app, name: name || app.name }} host={host} live={live} />
  return <WithAside aside={preview}>{cards}</WithAside>
}

/** Custom schemes have no host. */
function hostOf(address: string | null | undefined): string | undefined {
  return (address && URL.canParse(address) && new URL(address).host) || undefined
}
