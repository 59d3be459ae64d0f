import { useEffect, useState } from 'react'
import { Button } from '../button.tsx'
import { CheckIcon, CopyIcon } from '../icons/signed-in-icons.tsx'
import { useWords } from '../words.tsx'

/** Copies a text and confirms for two seconds. `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const words = useWords()
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  return (
    <Button size="small" onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      {copied ? <CheckIcon size={18} className="text-ok" /> : <CopyIcon size={18} className="text-muted" />}
      <span aria-live="polite">{copied ? words.copied : words.copy}</span>
      <span className="sr-only">{what}</span>
    </Button>
  )
}
