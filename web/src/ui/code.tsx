import { useMemo } from 'react'
import { CopyButton } from './copy-button.tsx'
import { highlight, type Kind } from './highlight.ts'

const LOOKS: Record<NonNullable<Kind>, string> = {
  comment: 'text-muted',
  string: 'text-ok',
  keyword: 'font-semibold text-brand',
}

export type CodeProps = {
  text: string
  language: string
  /** What stands above it: a file name, or what the code is. It also names the button that copies. */
  title: string
}

/** Code to read and to copy. It scrolls sideways by itself, by finger, wheel and arrow keys. */
export function Code({ text, language, title }: CodeProps) {
  const pieces = useMemo(() => highlight(text, language), [text, language])
  return (
    <figure className="min-w-0 overflow-hidden rounded-card border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line bg-surface py-1.5 pr-1.5 pl-4">
        <span className="min-w-0 truncate font-mono text-small text-muted">{title}</span>
        <CopyButton text={text} what={title} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        translate="no"
        className="overflow-x-auto px-4 py-3.5 font-mono text-small -outline-offset-3"
      >
        {pieces.map(({ kind, text: piece }, index) =>
          kind ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and only change as a whole
            <span key={index} className={LOOKS[kind]}>
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
