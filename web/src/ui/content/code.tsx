import { useMemo } from 'react'
import { CopyButton } from './copy-button.tsx'
import { highlight, type Kind } from './highlight.ts'

const CLASSES: Record<NonNullable<Kind>, string> = {
  comment: 'text-muted',
  string: 'text-ok',
  keyword: 'font-semibold text-brand',
}

export type CodeProps = {
  text: string
  language: string
  /** Title above the code, such as a file name; also names the copy button. */
  title: string
}

/** Code with a copy button, scrollable by keyboard. */
export function Code({ text, language, title }: CodeProps) {
  const pieces = useMemo(() => highlight(text, language), [text, language])
  return (
    <figure className="min-w-0 overflow-hidden rounded-card border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line bg-surface py-1.5 pr-1.5 pl-4">
        <span className="min-w-0 truncate font-mono text-small text-muted">{title}</span>
        <CopyButton text={text} what={title} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        translate="no"
        className="overflow-x-auto px-4 py-3.5 font-mono text-small -outline-offset-3"
      >
        {pieces.map(({ kind, text: piece }, index) =>
          kind ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: tokens change only together
            <span key={index} className={CLASSES[kind]}>
              {piece}
            </span>
          ) : (
            piece
          ),
        )}
      </pre>
    </figure>
  )
}
