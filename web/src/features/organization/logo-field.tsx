import { developers } from '@vrata/contract'
import type { Developer } from '@vrata/contract/developers'
import { usePictureWords } from '../../lib/picture-words.ts'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { keepOrganization } from './data.ts'

/** The logo of an organisation, for whom may change it. */
export function LogoField({ developer }: { developer: Developer }) {
  const wires = useWires()
  const words = usePictureWords()
  const { whole } = useRefusal()
  return (
    <PictureField
      kind="developer"
      url={developer.logo}
      name={developer.name}
      words={words}
      send={async (logo, onProgress) => {
        const answer = await wires.api.watched(onProgress)(developers.setLogo, { logo })
        if (!answer.ok) return whole(answer)
        keepOrganization(wires, answer.data)
      }}
      remove={async () => {
        const answer = await wires.api(developers.removeLogo)
        if (!answer.ok) return whole(answer)
        keepOrganization(wires, answer.data)
      }}
    />
  )
}
