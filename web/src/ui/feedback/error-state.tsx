import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { useWords } from '../words.tsx'

export type ErrorStateProps = {
  title: string
  text: ReactNode
  onRetry?: () => void
  /** Further actions beside "Try again". */
  action?: ReactNode
  /** Request id for support. */
  code?: string
  /** `h1` where the error is the whole page. */
  heading?: 'h1' | 'h2'
}

/** Error: illustration, explanation and actions. */
export function ErrorState({ title, text, onRetry, action, code, heading: Heading = 'h2' }: ErrorStateProps) {
  const words = useWords()
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <DoorAjar />
      <Heading className="mb-1 text-title">{title}</Heading>
      <p className="max-w-100 text-lead text-muted">{text}</p>
      {(onRetry || action) && (
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          {onRetry && <Button onClick={onRetry}>{words.try_again}</Button>}
          {action}
        </div>
      )}
      {code && (
        <p className="mt-6 text-small text-muted">
          {words.support_code} <code className="font-mono select-all">{code}</code>
        </p>
      )}
    </div>
  )
}

/** Illustration of errors and missing pages. */
export function DoorAjar() {
  return (
    <svg aria-hidden="true" width="96" height="96" viewBox="0 0 96 96" fill="none" strokeWidth="2" className="mb-5">
      <path d="M41 90 58 90 86 94H50z" className="fill-accent-soft" />
      <path d="M20 90V40a28 28 0 0 1 56 0v50" className="stroke-edge" />
      <path d="M27 90V40a21 21 0 0 1 24-20.8C54 24 55 31 55 38v52" className="fill-sunken stroke-line" />
      <path d="M51 19.2A21 21 0 0 1 69 40v50H55V38c0-7-1-14-4-18.8" className="fill-accent" />
      <path d="M12 90h72" className="stroke-edge" strokeLinecap="round" />
      <circle cx="48.5" cy="58" r="2.5" className="fill-edge" />
    </svg>
  )
}
