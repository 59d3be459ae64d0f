import { developers } from '@vrata/contract'
import type { Developer } from '@vrata/contract/developers'
import { useErrorText } from '../../../lib/api/error-text.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { usePictureWords } from '../../../lib/use-picture-words.ts'
import { PictureField } from '../../../ui/form/picture-field.tsx'
import { setDeveloperData } from '../queries.ts'

/** Logo of an organization. */
export function LogoField({ developer }: { developer: Developer }) {
  const context = useAppContext()
  const words = usePictureWords()
  const errorText = useErrorText()
  return (
    <PictureField
      kind="developer"
      url={developer.logo}
      name={developer.name}
      words={words}
      send={async (logo, onProgress) => {
        const answer = await context.api.withProgress(onProgress)(developers.setLogo, { logo })
        if (!answer.ok) return errorText(answer)
        setDeveloperData(context, answer.data)
      }}
      remove={async () => {
        const answer = await context.api(developers.removeLogo)
        if (!answer.ok) return errorText(answer)
        setDeveloperData(context, answer.data)
      }}
    />
  )
}
