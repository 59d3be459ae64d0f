import { WithAside } from '../../ui/with-aside.tsx'
import { AskedScopesCard } from './asked-scopes-card.tsx'
import { ConsentPreview } from './consent-preview.tsx'
import { OwnScopesCard } from './own-scopes-card.tsx'
import { useClient } from './use-client.ts'

/** What the app asks people for, and what it lets other apps ask for. */
export function ScopesPage() {
  const app = useClient()
  return (
    <WithAside aside={<ConsentPreview app={app} host={undefined} live={false} />}>
      <AskedScopesCard app={app} />
      <OwnScopesCard app={app} />
    </WithAside>
  )
}
