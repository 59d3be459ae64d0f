import type { Answer } from '@vrata/contract'
import { type FocusEvent, type FormEvent, useRef, useState } from 'react'
import { type Control, invalidMessage, isControl } from '../../ui/form/invalid-message.ts'
import { useWords } from '../../ui/words.tsx'
import { useFormErrors } from '../api/form-errors.ts'
import { FieldSaveState, useSetSaveState } from './save-states.tsx'

type SavedFields<Name extends string> = {
  /** Current values by name. */
  values: Readonly<Record<Name, string | null>>
  save: (name: Name, value: string | null) => Promise<Answer<unknown>>
}

/**
 * Text fields of a form that are saved one by one on blur or Enter, so that input in other fields is kept. Each shows its own
 * state and error. Spread `form` onto the form and `field(name)` onto each field.
 */
export function useSavedFields<Name extends string>({ values, save }: SavedFields<Name>) {
  const words = useWords()
  const setSaveState = useSetSaveState()
  const { formErrors } = useFormErrors()
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  /** Last value sent, so that a second blur does not send it again. */
  const sent = useRef<Partial<Record<Name, string>>>({})
  const nameOf = (control: Control) => (control.name in values ? (control.name as Name) : undefined)

  function setError(name: Name, error: string | undefined) {
    setErrors((before) => ({ ...before, [name]: error }))
  }

  function fail(name: Name, error: string) {
    setError(name, error)
    setSaveState([name], 'failed')
  }

  async function saveControl(control: Control) {
    const name = nameOf(control)
    if (!name || ('readOnly' in control && control.readOnly)) return
    const value = control.value.trim()
    if (!control.validity.valid) return fail(name, invalidMessage(control, words.invalid))
    if (value === (sent.current[name] ?? values[name] ?? '')) return setError(name, undefined)
    sent.current[name] = value
    setSaveState([name], 'saving')
    const answer = await save(name, value || null)
    if (answer.ok) {
      setError(name, undefined)
      return setSaveState([name], 'saved')
    }
    delete sent.current[name]
    const { fields, message } = formErrors(answer)
    fail(name, fields?.[name] ?? String(message ?? Object.values(fields ?? {}).join(' ')))
  }

  function clear(control: Control) {
    const name = nameOf(control)
    if (!name) return
    setError(name, undefined)
    setSaveState([name], undefined)
  }

  return {
    form: {
      noValidate: true,
      onBlur: (event: FocusEvent) => {
        if (isControl(event.target)) void saveControl(event.target)
      },
      onInput: (event: FormEvent) => {
        if (isControl(event.target)) clear(event.target)
      },
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        if (isControl(document.activeElement)) void saveControl(document.activeElement)
      },
    },
    field: (name: Name) => ({
      name,
      defaultValue: values[name] ?? '',
      error: errors[name],
      status: <FieldSaveState name={name} />,
      autoComplete: 'off',
    }),
  }
}
