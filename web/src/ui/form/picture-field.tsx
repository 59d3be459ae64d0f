import { useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { showDialog } from '../dialog/show-dialog.ts'
import { toast } from '../feedback/toast.ts'
import { AlertIcon } from '../icons/icons.tsx'
import { CameraIcon } from '../icons/signed-in-icons.tsx'
import { Picture, type PictureProps } from '../identity/picture.tsx'
import { useFileDrop } from './use-file-drop.ts'

/** Types offered by the file dialog. The server checks the content. */
const KINDS = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

export type PictureWords = Record<
  'add' | 'change' | 'hint' | 'sending' | 'saved' | 'remove' | 'remove_ask' | 'remove_text' | 'removed' | 'cancel',
  string
> & { not_saved: (why: string) => string }

export type PictureFieldProps = Pick<PictureProps, 'kind' | 'url' | 'name'> & {
  words: PictureWords
  /** Uploads a file and reports progress (0 to 1). Returns an error message. */
  send: (file: File, onProgress: (share: number) => void) => Promise<string | undefined>
  /** Removes the picture. Returns an error message. */
  remove: () => Promise<string | undefined>
}

/** Picture of an organization or app; selected or dropped files upload at once. */
export function PictureField({ words, send, remove, ...picture }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<number>()
  const [wrong, setWrong] = useState<string>()
  const { over, ...drop } = useFileDrop((file) => void upload(file))

  async function upload(file: File) {
    if (sent !== undefined) return
    setWrong(undefined)
    setSent(0)
    const error = await send(file, setSent)
    setSent(undefined)
    setWrong(error)
    if (!error) toast(words.saved)
    // The page was left meanwhile.
    else if (!input.current) toast(words.not_saved(error))
  }

  function askToRemove() {
    setWrong(undefined)
    return showDialog({
      title: words.remove_ask,
      message: words.remove_text,
      buttons: [{ label: words.cancel }, { label: words.remove }],
      danger: true,
      async onSubmit() {
        const message = await remove()
        if (message) return { message }
        toast(words.removed)
      },
    })
  }

  return (
    <div
      {...drop}
      className={classes(
        'flex flex-wrap items-center gap-x-5 gap-y-3 rounded-control outline-2 outline-offset-8 outline-transparent transition-colors duration-150',
        over && 'bg-brand-soft outline-brand outline-dashed',
      )}
    >
      <Picture {...picture} size={72} />
      <div className="min-w-0 grow basis-52">
        <div className="flex flex-wrap gap-3">
          <Button size="small" busy={sent !== undefined} onClick={() => input.current?.click()}>
            <CameraIcon />
            {picture.url ? words.change : words.add}
          </Button>
          {picture.url && (
            <Button size="small" onClick={() => void askToRemove()}>
              {words.remove}
            </Button>
          )}
        </div>
        <p className="mt-2 text-small text-muted">{words.hint}</p>
      </div>
      {sent !== undefined && (
        <progress
          value={sent}
          aria-label={words.sending}
          className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
      )}
      <p role="alert" className="flex w-full gap-1.5 font-medium text-danger empty:hidden">
        {wrong && (
          <>
            <AlertIcon size={18} className="mt-0.5" />
            <span className="min-w-0">{wrong}</span>
          </>
        )}
      </p>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void upload(file)
          target.value = ''
        }}
      />
    </div>
  )
}
