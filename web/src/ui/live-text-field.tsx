import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { TextField, type TextFieldProps } from './field.tsx'
import { AlertIcon, CheckIcon } from './icons.tsx'

/** What is found out about a text; null when there is nothing to say. */
export type LiveFinding = { fine: boolean; text: string } | null
export type LookLive = (text: string) => Promise<LiveFinding>

/** How long somebody must have stopped typing before anybody looks, in milliseconds. */
const PAUSE = 350

/** One line of text that is looked at while it is being written: is this name still free? */
export function LiveTextField({ look, hint, ...rest }: TextFieldProps & { look: LookLive }) {
  const [finding, setFinding] = useState<LiveFinding>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function typed({ target }: ChangeEvent<HTMLInputElement>) {
    clearTimeout(timer.current)
    setFinding(null)
    const { value } = target
    if (!value || !target.validity.valid) return
    timer.current = setTimeout(async () => {
      const found = await look(value)
      // Somebody who went on typing meanwhile wants to hear about the newer text only.
      if (target.value === value) setFinding(found)
    }, PAUSE)
  }

  const Sign = finding?.fine ? CheckIcon : AlertIcon
  return (
    <TextField
      {...rest}
      onChange={typed}
      hint={
        <>
          {hint}
          <span role="status" className="mt-1 flex min-h-5.5 items-center gap-1.5 font-medium text-ink">
            {finding && (
              <>
                <Sign size={18} className={finding.fine ? 'text-ok' : 'text-danger'} />
                {finding.text}
              </>
            )}
          </span>
        </>
      }
    />
  )
}
