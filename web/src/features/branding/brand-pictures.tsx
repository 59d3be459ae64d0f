import type { Branding } from '@vrata/contract/branding'
import * as branding from '@vrata/contract/branding'
import { useId } from 'react'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { usePictureWords } from '../../lib/use-picture-words.ts'
import { PictureField } from '../../ui/form/picture-field.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

const REMOVE = {
  logo: branding.removeBrandingLogo,
  logo_dark: branding.removeBrandingLogoDark,
  icon: branding.removeBrandingIcon,
} as const
type Field = keyof typeof REMOVE

type Props = { branding: Branding; readOnly: boolean; onSaved: (branding: Branding) => void }

/** Logos and icon, saved as soon as they are uploaded. */
export function BrandPictures(props: Props) {
  const { t } = useI18n()
  return (
    <Card aria-labelledby="pictures">
      <CardHead id="pictures" title={t('branding.pictures')} text={t('branding.pictures.text')} />
      <CardBody className="space-y-6 pt-2">
        <BrandPicture field="logo" {...props} />
        <BrandPicture field="logo_dark" {...props} />
        <BrandPicture field="icon" {...props} />
      </CardBody>
    </Card>
  )
}

function BrandPicture({ field, branding: saved, readOnly, onSaved }: Props & { field: Field }) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const errorText = useErrorText()
  const words = usePictureWords()
  const label = useId()
  const picture = { kind: 'app', url: saved[field], name: '' } as const

  /** Returns what went wrong. */
  function settle(answer: Awaited<ReturnType<typeof send>>) {
    if (!answer.ok) return errorText(answer)
    onSaved(answer.data)
    return undefined
  }

  function send(file: File, onProgress: (share: number) => void) {
    const call = api.withProgress(onProgress)
    if (field === 'logo') return call(branding.setBrandingLogo, { logo: file })
    if (field === 'logo_dark') return call(branding.setBrandingLogoDark, { logo_dark: file })
    return call(branding.setBrandingIcon, { icon: file })
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lay out its legend beside the picture
    <div role="group" aria-labelledby={label}>
      <h3 id={label} className="mb-2 text-base">
        {t(`branding.${field}`)}
      </h3>
      {readOnly ? (
        <Picture {...picture} size={72} />
      ) : (
        <PictureField
          {...picture}
          words={{
            ...words,
            add: t('branding.picture.add'),
            change: t('branding.picture.change'),
            hint: t(`branding.${field}.hint`),
            remove_text: t(`branding.${field}.remove_text`),
          }}
          send={async (file, onProgress) => settle(await send(file, onProgress))}
          remove={async () => settle(await api(REMOVE[field]))}
        />
      )}
    </div>
  )
}
