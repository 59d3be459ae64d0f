import { useQuery } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { WithAside } from '../../ui/with-aside.tsx'
import { ConsentPreview } from './consent-preview.tsx'
import { CredentialsCard } from './credentials-card.tsx'
import { DangerCard } from './danger-card.tsx'
import { redirectUris } from './data.ts'
import { InfoForm } from './info-form.tsx'
import { StatisticsCard } from './statistics-card.tsx'
import { useClient } from './use-client.ts'

/** What people are told about an app, beside what they will see of it. */
export function DetailsPage() {
  const app = useClient()
  const uris = useQuery(redirectUris(useWires(), app.client_id)).data?.redirect_uris ?? []
  const [name, setName] = useState(app.name)
  const live = can(useUser(), clients.updateClientInfo)
  const host = hostOf(uris[0]) ?? hostOf(app.home_page_url)
  const cards = (
    <>
      <InfoForm app={app} onName={setName} />
      <CredentialsCard app={app} />
      <StatisticsCard client_id={app.client_id} />
      <DangerCard app={app} />
    </>
  )
  // Nobody is ever asked to allow a service anything.
  if (app.type === 'service') return <div className="max-w-240 space-y-6">{cards}</div>
  const preview = <ConsentPreview app={{ ...app, name: name.trim() || app.name }} host={host} live={live} />
  return <WithAside aside={preview}>{cards}</WithAside>
}

/** Addresses with a scheme of their own lead into an app and have no host. */
function hostOf(address: string | null | undefined): string | undefined {
  return (address && URL.canParse(address) && new URL(address).host) || undefined
}
