import { CopyButton } from './copy-button.tsx'

type Props = {
  label: string
  text: string
  /** `text` in groups, for reading. */
  shown?: string
  /** Name of what is copied. */
  what?: string
}

/** A text in a well with a copy button, which is below the text where both don't fit side by side. */
export function CopyField({ label, text, shown = text, what = label }: Props) {
  return (
    <div>
      <p className="mb-1.5 font-semibold">{label}</p>
      <div className="flex flex-wrap items-center justify-end gap-x-3 rounded-control border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
        <code className="min-w-0 grow basis-32 py-1 font-mono text-small wrap-anywhere select-all">{shown}</code>
        <CopyButton text={text} what={what} />
      </div>
    </div>
  )
}
