import { useClient } from '../../lib/clients/use-client.ts'
import { WithAside } from '../../ui/layout/with-aside.tsx'
import { ConsentPreview } from './consent-preview.tsx'
import { DefinedScopesCard } from './defined-scopes-card.tsx'
import { RequestedScopesCard } from './requested-scopes-card.tsx'
import { ResourcesCard } from './resources-card.tsx'

/** Scopes that the app requests and defines, and its APIs. */
export function ScopesPage() {
  const app = useClient()
  return (
    <WithAside aside={<ConsentPreview app={app} host={undefined} live={false} />}>
      <RequestedScopesCard app={app} />
      <DefinedScopesCard app={app} />
      <ResourcesCard app={app} />
    </WithAside>
  )
}
