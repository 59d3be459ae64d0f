import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useErrorText } from '../../../lib/api/error-text.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { setClientInfo } from '../../../lib/clients/client-queries.ts'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../lib/session.ts'
import { usePictureWords } from '../../../lib/use-picture-words.ts'
import { PictureField } from '../../../ui/form/picture-field.tsx'
import { Picture } from '../../../ui/identity/picture.tsx'

/** Icon of an app, editable for users with permission. */
export function ClientIconField({ app }: { app: ClientInfo }) {
  const context = useAppContext()
  const words = usePictureWords()
  const errorText = useErrorText()
  const picture = { kind: 'app', url: app.icon, name: app.name } as const
  if (!can(useUser(), clients.setIcon)) return <Picture {...picture} size={72} />
  return (
    <PictureField
      {...picture}
      words={words}
      send={async (icon, onProgress) => {
        const answer = await context.api.withProgress(onProgress)(clients.setIcon, { id: app.client_id, icon })
        if (!answer.ok) return errorText(answer)
        setClientInfo(context, answer.data)
      }}
      remove={async () => {
        const answer = await context.api(clients.removeIcon, { id: app.client_id })
        if (!answer.ok) return errorText(answer)
        setClientInfo(context, answer.data)
      }}
    />
  )
}
