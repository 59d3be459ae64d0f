import { useRef, useState } from 'react'
import { ask } from './ask.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { AlertIcon } from './icons.tsx'
import { CameraIcon } from './inner-icons.tsx'
import { Picture, type PictureProps } from './picture.tsx'
import { toast } from './toast.ts'
import { useDrop } from './use-drop.ts'

/** What the file dialog offers; what a file really is, its content says. */
const KINDS = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

export type PictureWords = Record<
  'add' | 'change' | 'hint' | 'sending' | 'saved' | 'remove' | 'remove_ask' | 'remove_text' | 'removed' | 'cancel',
  string
>

export type PictureFieldProps = Pick<PictureProps, 'kind' | 'url' | 'name'> & {
  words: PictureWords
  /** Sends a file, telling how much of it has left (0 to 1); answers what was wrong with it. */
  send: (file: File, onProgress: (share: number) => void) => Promise<string | undefined>
  /** Answers why it stays. */
  remove: () => Promise<string | undefined>
}

/** The picture of an organisation or app, shown whole: chosen or dropped, it is sent at once. */
export function PictureField({ words, send, remove, ...picture }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<number>()
  const [wrong, setWrong] = useState<string>()
  const { over, ...drop } = useDrop((file) => void take(file))

  async function take(file: File) {
    if (sent !== undefined) return
    setWrong(undefined)
    setSent(0)
    const refusal = await send(file, setSent)
    setSent(undefined)
    setWrong(refusal)
    if (!refusal) toast(words.saved)
  }

  function askToRemove() {
    setWrong(undefined)
    return ask({
      title: words.remove_ask,
      message: words.remove_text,
      buttons: [{ label: words.cancel }, { label: words.remove }],
      danger: true,
      async send() {
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
          className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-lamp [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-lamp"
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
          if (file) void take(file)
          target.value = ''
        }}
      />
    </div>
  )
}
