import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Form, Submit, type SubmitErrors } from '../form/form.tsx'
import { DialogField } from './dialog-field.tsx'
import { DialogFrame } from './dialog-frame.tsx'
import { type DialogFieldOptions, type OpenDialog, SUBMIT } from './show-dialog.ts'

/**
 * The dialog of `showDialog` (product §2.6). Escape cancels; Enter presses the last button, in multiline fields
 * Ctrl+Enter. `onSubmit` may open another dialog, which is nested in this one.
 */
export function Dialog({ dialog, onTop }: { dialog: OpenDialog; onTop: readonly OpenDialog[] }) {
  const body = useRef<HTMLDivElement>(null)
  const firstFocus = useRef<HTMLElement>(null)
  const { title, message, fields = [], buttons, danger, onSubmit } = dialog
  const [chosen, setChosen] = useState(() => valuesOfSelects(fields))
  const last = buttons.at(-1)
  // While this dialog closes, the next one waits; otherwise it was opened by `onSubmit`.
  const [above, ...others] = dialog.closed ? [] : onTop

  async function submit(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const errors = await onSubmit?.(values)
    if (errors) return errors
    dialog.close({ button: last?.id ?? SUBMIT, values })
  }

  function pressOther(id: string | undefined) {
    const form = body.current?.querySelector('form')
    const texts = [...new FormData(form ?? undefined)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    dialog.close(id ? { button: id, values: Object.fromEntries(texts) } : null)
  }

  function keepChoice({ target }: FormEvent) {
    if (target instanceof HTMLSelectElement) setChosen({ ...chosen, [target.name]: target.value })
  }

  const isShown = (field: DialogFieldOptions) =>
    !('shownFor' in field && field.shownFor) || chosen[field.shownFor.select] === field.shownFor.value

  return (
    <DialogFrame
      title={title}
      message={message}
      open={!dialog.closed}
      onClose={() => dialog.close(null)}
      firstFocus={firstFocus}
      returnFocusTo={dialog.returnFocusTo}
      shownOnce={dialog.shownOnce}
    >
      <div
        className="mt-6"
        ref={(element) => {
          body.current = element
          firstFocus.current =
            element?.querySelector<HTMLElement>(FIRST_CONTROL) ??
            element?.querySelector<HTMLElement>('[type=submit]') ??
            null
        }}
      >
        <Form onSubmit={submit} onKeyDown={pressLastButton} onChange={keepChoice}>
          {fields.filter(isShown).map((field, index) => (
            <DialogField key={field.kind === 'description' ? index : field.name} field={field} />
          ))}
          <div className="-bottom-6 -mb-6 flex flex-col-reverse gap-3 bg-surface pt-2 pb-6 tall:sticky sm:-bottom-7 sm:-mb-7 sm:flex-row sm:flex-wrap-reverse sm:justify-end sm:pb-7">
            {buttons.slice(0, -1).map((button) => (
              <Button key={button.label} onClick={() => pressOther(button.id)}>
                {button.label}
              </Button>
            ))}
            {last && <Submit look={danger ? 'danger' : 'primary'}>{last.label}</Submit>}
          </div>
        </Form>
      </div>
      {above && <Dialog key={above.key} dialog={above} onTop={others} />}
    </DialogFrame>
  )
}

function valuesOfSelects(fields: readonly DialogFieldOptions[]): Record<string, string | undefined> {
  return Object.fromEntries(fields.flatMap((field) => (field.kind === 'select' ? [[field.name, field.value]] : [])))
}

const FIRST_CONTROL = 'input:not([type=hidden],[readonly],[aria-hidden=true]), textarea:not([readonly]), select'

/** Inputs and buttons handle Enter natively. */
function pressLastButton(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return
  const { target } = event
  if (!(target instanceof HTMLElement) || target.closest('button, a, input')) return
  if (target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
