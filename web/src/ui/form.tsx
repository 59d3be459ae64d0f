import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { classes } from './classes.ts'
import { FormStateContext, useFormState } from './form-state.ts'
import { AlertIcon } from './icons.tsx'
import { type Control, invalidMessage, isControl } from './invalid.ts'
import { useWords } from './words.tsx'

/** What a refused submission answers: sentences per field name, and one for the whole form. */
export type FormRefusal = { fields?: Record<string, string>; message?: ReactNode }

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'method'> & {
  /**
   * Gets the named values as text, and the raw data for files and lists. Answer nothing when all went well, else
   * what to say; a field's sentence lands on the control of the same name.
   */
  onSubmit: (values: Record<string, string>, data: FormData) => Promise<FormRefusal | undefined>
}

/**
 * A native form: the browser's own constraints, values read from the document, `method="post"` so that a form sent
 * before the script runs never puts a password into the address bar. Errors show on submit and go while typing.
 */
export function Form({ onSubmit, className, children, ...rest }: FormProps) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  const noted = useRef(false)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [message, setMessage] = useState<ReactNode>(null)
  const [refusals, setRefusals] = useState(0)

  // After each refusal the first wrong control gets the focus, as soon as its error is on the page.
  useEffect(() => {
    if (refusals > 0) firstWrong(form.current)?.focus()
  }, [refusals])

  function refuse({ fields = {}, message }: FormRefusal) {
    const named = new Set([...(form.current?.elements ?? [])].map((element) => element.getAttribute('name')))
    const homeless = Object.keys(fields).filter((name) => !named.has(name))
    setErrors(fields)
    setMessage(message ?? homeless.map((name) => fields[name]).join(' '))
    setRefusals((count) => count + 1)
  }

  /** The browser reports invalid controls one by one; at the first of them all are looked at, to show them together. */
  function noteInvalid(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (noted.current) return
    noted.current = true
    setTimeout(() => {
      noted.current = false
    })
    const wrong = [...event.currentTarget.elements].filter(isControl).filter((control) => isWrong(control))
    refuse({
      fields: Object.fromEntries(wrong.map((control) => [control.name, invalidMessage(control, words.invalid)])),
    })
  }

  function forget(event: FormEvent<HTMLFormElement>) {
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
      const refusal = await onSubmit(values, data)
      if (refusal) refuse(refusal)
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
        onInvalidCapture={noteInvalid}
        onInput={forget}
        onSubmit={send}
      >
        <FormMessage>{message}</FormMessage>
        {children}
      </form>
    </FormStateContext>
  )
}

/** One sentence about the whole form. The alert region is there from the start, so that it is read out. */
function FormMessage({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && (
        <p className="flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
          <AlertIcon className="mt-0.5 text-danger" />
          <span className="min-w-0">{children}</span>
        </p>
      )}
    </div>
  )
}

/** The button that sends the form around it; busy while the answer is awaited. */
export function Submit({ className, ...props }: Omit<ButtonProps, 'type' | 'busy'>) {
  const { busy } = useFormState()
  const place = props.wide ? className : classes('sm:self-start', className)
  return <Button look="primary" {...props} type="submit" busy={busy} className={place} />
}

function isWrong(control: Control): boolean {
  return control.willValidate && !control.validity.valid
}

function firstWrong(form: HTMLFormElement | null): HTMLElement | undefined {
  return [...(form?.elements ?? [])].find(
    (element): element is HTMLElement =>
      element instanceof HTMLElement && element.getAttribute('aria-invalid') === 'true',
  )
}
