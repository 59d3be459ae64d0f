import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import { classes } from '../classes.ts'
import { AlertIcon } from '../icons/icons.tsx'
import { useWords } from '../words.tsx'
import { FormStateContext, useFormState } from './form-state.ts'
import { type Control, invalidMessage, isControl } from './invalid-message.ts'

/** Errors of a submission: messages by field name, and one for the form. */
export type SubmitErrors = { fields?: Record<string, string>; message?: ReactNode }

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'method'> & {
  /**
   * Receives the named values as text, and the form data for files and lists. Returns errors; a field's message appears
   * on the control of that name.
   */
  onSubmit: (values: Record<string, string>, data: FormData) => Promise<SubmitErrors | undefined>
}

/**
 * A native form with native validation and `method="post"`, so that a submit before hydration does not put a password
 * into the address. Errors appear on submit and disappear while typing.
 */
export function Form({ onSubmit, className, children, ...rest }: FormProps) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  const collecting = useRef(false)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [message, setMessage] = useState<ReactNode>(null)
  const [errorCount, setErrorCount] = useState(0)

  // Moves focus to the first invalid control after errors were rendered, or shows the message, which may be out of view.
  useEffect(() => {
    if (errorCount === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (wrong) wrong.focus()
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  }, [errorCount])

  function showErrors({ fields = {}, message }: SubmitErrors) {
    const named = new Set([...(form.current?.elements ?? [])].map((element) => element.getAttribute('name')))
    const unplaced = Object.keys(fields).filter((name) => !named.has(name))
    setErrors(fields)
    setMessage(message ?? unplaced.map((name) => fields[name]).join(' '))
    setErrorCount((count) => count + 1)
  }

  /** Browsers report each invalid control by an event; the first event collects all of them. */
  function handleInvalid(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (collecting.current) return
    collecting.current = true
    setTimeout(() => {
      collecting.current = false
    })
    const wrong = [...event.currentTarget.elements].filter(isControl).filter((control) => isWrong(control))
    showErrors({
      fields: Object.fromEntries(wrong.map((control) => [control.name, invalidMessage(control, words.invalid)])),
    })
  }

  function clearError(event: FormEvent<HTMLFormElement>) {
    const name = isControl(event.target) ? event.target.name : ''
    if (name in errors) setErrors(({ [name]: _, ...others }) => others)
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const data = new FormData(event.currentTarget)
    const values = Object.fromEntries(
      [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
    setErrors({})
    setMessage(null)
    setBusy(true)
    try {
      const errors = await onSubmit(values, data)
      if (errors) showErrors(errors)
    } finally {
      setBusy(false)
    }
  }

  return (
    <FormStateContext value={{ busy, errors }}>
      <form
        {...rest}
        ref={form}
        method="post"
        className={classes('flex flex-col gap-5', className)}
        onInvalidCapture={handleInvalid}
        onInput={clearError}
        onSubmit={send}
      >
        {/* Without script the server fills in the problem of the last submission. */}
        <noscript data-problem="">
          <div role="alert">
            <MessageText>{'{problem}'}</MessageText>
          </div>
        </noscript>
        <FormMessage>{message}</FormMessage>
        {children}
      </form>
    </FormStateContext>
  )
}

/** Message for the form. The alert region is always mounted, so that it is announced. */
function FormMessage({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && <MessageText>{children}</MessageText>}
    </div>
  )
}

/** Appearance of the error message of a form, without its alert region. */
export function MessageText({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
      <AlertIcon className="mt-0.5 text-danger" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

/** Submit button; busy while the form is submitting. */
export function Submit({ className, ...props }: Omit<ButtonProps, 'type' | 'busy'>) {
  const { busy } = useFormState()
  const alignment = props.wide ? className : classes('sm:self-start', className)
  return <Button look="primary" {...props} type="submit" busy={busy} className={alignment} />
}

function isWrong(control: Control): boolean {
  return control.willValidate && !control.validity.valid
}
