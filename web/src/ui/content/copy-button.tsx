import { useEffect, useState } from 'react'
import { Button } from '../button.tsx'
import { AlertIcon } from '../icons/icons.tsx'
import { CheckIcon, CopyIcon } from '../icons/signed-in-icons.tsx'
import { useWords } from '../words.tsx'

const LOOKS = {
  idle: { word: 'copy', Icon: CopyIcon, color: 'text-muted' },
  copied: { word: 'copied', Icon: CheckIcon, color: 'text-ok' },
  failed: { word: 'try_again', Icon: AlertIcon, color: 'text-danger' },
} as const

/** Copies a text, and says for two seconds whether it did. `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const words = useWords()
  const [state, setState] = useState<keyof typeof LOOKS>('idle')
  const { word, Icon, color } = LOOKS[state]

  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])

  return (
    <Button
      size="small"
      onClick={async ({ currentTarget }) => setState((await copy(text, currentTarget)) ? 'copied' : 'failed')}
    >
      <Icon size={18} className={color} />
      <span aria-live="polite">{words[word]}</span>
      <span className="sr-only">{what}</span>
    </Button>
  )
}

/** Without HTTPS there is no clipboard API, and a browser can refuse it. Both still copy what is selected. */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'sr-only'
    // Beside the button, because a dialog takes back the focus from what is outside of it.
    button.after(field)
    field.select()
    const copied = document.execCommand('copy')
    field.remove()
    button.focus()
    return copied
  }
}
