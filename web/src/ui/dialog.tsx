import { type KeyboardEvent, useRef } from 'react'
import { type Asked, DEED } from './ask.ts'
import { Button } from './button.tsx'
import { DialogField } from './dialog-field.tsx'
import { DialogFrame } from './dialog-frame.tsx'
import { Form, type FormRefusal, Submit } from './form.tsx'

/**
 * The shared dialog of `ask` (specification §2). Escape cancels, Enter presses the last button; among several lines of
 * text it is Ctrl+Enter, and Escape closes an open list before it closes the dialog. A deed may ask in its turn ("is it
 * you?"): that question is a dialog inside this one, which stays as it is beneath.
 */
export function Dialog({ asked, onTop }: { asked: Asked; onTop: readonly Asked[] }) {
  const body = useRef<HTMLDivElement>(null)
  const firstFocus = useRef<HTMLElement>(null)
  const { title, message, fields = [], buttons, danger, send } = asked
  const last = buttons.at(-1)
  // While this one closes, the next question waits; otherwise it was asked by the deed of this one.
  const [above, ...others] = asked.answered ? [] : onTop

  async function deed(values: Record<string, string>): Promise<FormRefusal | undefined> {
    const refusal = await send?.(values)
    if (refusal) return refusal
    asked.answer({ button: last?.id ?? DEED, values })
  }

  function other(id: string | undefined) {
    const form = body.current?.querySelector('form')
    const texts = [...new FormData(form ?? undefined)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    asked.answer(id ? { button: id, values: Object.fromEntries(texts) } : null)
  }

  return (
    <DialogFrame
      title={title}
      message={message}
      open={!asked.answered}
      onClose={() => asked.answer(null)}
      firstFocus={firstFocus}
      lastFocus={() => (asked.asker instanceof HTMLElement && asked.asker.isConnected ? asked.asker : null)}
    >
      <div
        className="mt-6"
        ref={(element) => {
          body.current = element
          firstFocus.current =
            element?.querySelector<HTMLElement>(FIRST) ?? element?.querySelector<HTMLElement>('[type=submit]') ?? null
        }}
      >
        <Form onSubmit={deed} onKeyDown={pressLastButton}>
          {fields.map((field, index) => (
            <DialogField key={field.kind === 'description' ? index : field.name} field={field} />
          ))}
          <div className="sticky -bottom-6 -mb-6 flex flex-col-reverse gap-3 bg-surface pt-2 pb-6 sm:-bottom-7 sm:-mb-7 sm:flex-row sm:justify-end sm:pb-7">
            {buttons.slice(0, -1).map((button) => (
              <Button key={button.label} onClick={() => other(button.id)}>
                {button.label}
              </Button>
            ))}
            {last && <Submit look={danger ? 'danger' : 'primary'}>{last.label}</Submit>}
          </div>
        </Form>
      </div>
      {above && <Dialog key={above.key} asked={above} onTop={others} />}
    </DialogFrame>
  )
}

const FIRST = 'input:not([type=hidden],[readonly],[aria-hidden=true]), textarea:not([readonly]), select'

/** One-line inputs submit by themselves and buttons press themselves; the rest is decided here. */
function pressLastButton(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return
  const { target } = event
  if (!(target instanceof HTMLElement) || target.closest('button, a, input')) return
  if (target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
