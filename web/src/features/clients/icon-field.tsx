import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { usePictureWords } from '../../lib/picture-words.ts'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Picture } from '../../ui/picture.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { keepInfo } from './data.ts'

/** The icon of an app, changed where it is seen. */
export function IconField({ app }: { app: ClientInfo }) {
  const wires = useWires()
  const words = usePictureWords()
  const { whole } = useRefusal()
  const picture = { kind: 'app', url: app.icon, name: app.name } as const
  if (!can(useUser(), clients.setIcon)) return <Picture {...picture} size={72} />
  return (
    <PictureField
      {...picture}
      words={words}
      send={async (icon, onProgress) => {
        const answer = await wires.api.watched(onProgress)(clients.setIcon, { id: app.client_id, icon })
        if (!answer.ok) return whole(answer)
        keepInfo(wires, answer.data)
      }}
      remove={async () => {
        const answer = await wires.api(clients.removeIcon, { id: app.client_id })
        if (!answer.ok) return whole(answer)
        keepInfo(wires, answer.data)
      }}
    />
  )
}
