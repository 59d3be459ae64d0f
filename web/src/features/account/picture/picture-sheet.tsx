import { account } from '@vrata/contract'
import { useEffect, useRef, useState } from 'react'
import { useErrorText } from '../../../lib/api/error-text.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { setUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Sheet } from '../../../ui/dialog/sheet.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useFileDrop } from '../../../ui/form/use-file-drop.ts'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { CameraIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { type Crop, cropToFile, initialCrop } from './crop.ts'
import { Cropper } from './cropper.tsx'

/** Types offered by the file dialog. The server checks the content. */
const KINDS = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

type Chosen = { picture: ImageBitmap; crop: Crop }

/** Selects, crops and uploads a profile picture. `dropped` is a file that was dropped on the page. */
export function PictureSheet({ open, dropped, onClose }: { open: boolean; dropped?: File; onClose: () => void }) {
  const { t } = useI18n()
  const context = useAppContext()
  const errorText = useErrorText()
  const [chosen, setChosen] = useState<Chosen>()
  const [message, setMessage] = useState<string>()
  const [sent, setSent] = useState<number>()
  const content = useRef<HTMLDivElement>(null)

  // While the sheet closes, it still shows the picture.
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets when the sheet opens
  useEffect(() => {
    if (!open) return
    setChosen(undefined)
    setMessage(undefined)
    if (dropped) void choose(dropped)
  }, [open, dropped])

  async function choose(file: File) {
    setMessage(undefined)
    try {
      // The browser applies the orientation of the picture.
      const picture = await createImageBitmap(file)
      setChosen({ picture, crop: initialCrop(picture) })
    } catch {
      setMessage(t('account.picture.unreadable', { name: file.name }))
    }
  }

  async function save({ picture, crop }: Chosen) {
    const file = await cropToFile(picture, crop)
    if (!file) return setMessage(t('account.picture.unreadable', { name: '' }))
    setMessage(undefined)
    setSent(0)
    const answer = await context.api.withProgress(setSent)(account.setProfilePicture, { profile_picture: file })
    setSent(undefined)
    if (!answer.ok) {
      const error = errorText(answer)
      // The sheet was left meanwhile, such as by the way back.
      if (!content.current) toast(t('account.picture.not_saved', { why: error }))
      return setMessage(error)
    }
    setUser(context, answer.data)
    toast(t('account.picture.saved'))
    onClose()
  }

  return (
    <Sheet title={t('account.picture.title')} message={t('account.picture.text')} open={open} onClose={onClose}>
      <div ref={content} className="mt-6 flex flex-col gap-5">
        <div role="alert" className="empty:hidden">
          {message && (
            <p className="flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
              <AlertIcon className="mt-0.5 text-danger" />
              <span className="min-w-0">{message}</span>
            </p>
          )}
        </div>
        {chosen ? (
          <Cropper {...chosen} onChange={(crop) => setChosen({ ...chosen, crop })} />
        ) : (
          <DropArea onFile={choose} />
        )}
        {sent !== undefined && (
          <progress
            value={sent}
            aria-label={t('account.picture.sending')}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          {chosen && (
            <>
              <Button onClick={() => setChosen(undefined)}>{t('account.picture.other')}</Button>
              <Button look="primary" busy={sent !== undefined} onClick={() => void save(chosen)}>
                {t('ui.save')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Sheet>
  )
}

/** Drop target with a button that opens the file dialog. */
function DropArea({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useI18n()
  const input = useRef<HTMLInputElement>(null)
  const { over, ...drop } = useFileDrop(onFile)
  return (
    <div
      {...drop}
      className={classes(
        'flex flex-col items-center gap-4 rounded-card border-2 border-dashed px-6 py-10 text-center transition-colors duration-150',
        over ? 'border-brand bg-brand-soft' : 'border-line',
      )}
    >
      <CameraIcon size={32} className="text-muted" />
      <p className="hidden text-muted sm:block">{t('account.picture.drop')}</p>
      <Button look="primary" onClick={() => input.current?.click()}>
        {t('account.picture.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        tabIndex={-1}
        aria-label={t('account.picture.choose')}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onFile(file)
          target.value = ''
        }}
      />
    </div>
  )
}
