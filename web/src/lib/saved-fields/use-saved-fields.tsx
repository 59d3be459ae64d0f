import type { Answer } from '@vrata/contract'
import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { toast } from '../../ui/feedback/toast.ts'
import { type Control, invalidMessage, isControl } from '../../ui/form/invalid-message.ts'
import { useWords } from '../../ui/words.tsx'
import { useFormErrors } from '../api/form-errors.ts'
import { useI18n } from '../i18n.tsx'
import { FieldSaveState, useSetSaveState } from './save-states.tsx'

type SavedFields<Name extends string> = {
  /** Current values by name. */
  values: Readonly<Record<Name, string | null>>
  save: (name: Name, value: string | null) => Promise<Answer<unknown>>
}

/**
 * Text fields of a form that are saved separately on blur or Enter, so that input in other fields is kept. Each shows its own
 * state and error. An unchanged field shows changes that others make, and is not saved over them. Spread
 * `form` onto the form and `field(name)` onto each field.
 */
export function useSavedFields<Name extends string>({ values, save }: SavedFields<Name>) {
  const words = useWords()
  const setSaveState = useSetSaveState()
  const { formErrors } = useFormErrors()
  const { t } = useI18n()
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const form = useRef<HTMLFormElement>(null)
  /** Fields with a text that was entered here and has not been sent, or was rejected. */
  const edited = useRef(new Set<Name>())
  /** The last value sent of each field whose answer has not arrived. */
  const sent = useRef<Partial<Record<Name, string>>>({})
  const nameOf = (control: Control) => (control.name in values ? (control.name as Name) : undefined)

  // React writes the value of such a field only once.
  useEffect(() => {
    for (const name of Object.keys(values) as Name[]) {
      const control = form.current?.elements.namedItem(name)
      const own = edited.current.has(name) || sent.current[name] !== undefined
      if (isControl(control) && !own) control.value = values[name] ?? ''
    }
  })

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
    if (!edited.current.has(name)) return
    const value = control.value.trim()
    if (!control.validity.valid) return fail(name, invalidMessage(control, words.invalid))
    edited.current.delete(name)
    if (value === (values[name] ?? '')) return setError(name, undefined)
    sent.current[name] = value
    setSaveState([name], 'saving')
    const answer = await save(name, value || null)
    if (sent.current[name] === value) delete sent.current[name]
    if (answer.ok) {
      setError(name, undefined)
      return setSaveState([name], 'saved')
    }
    edited.current.add(name)
    const { fields, message } = formErrors(answer)
    const error = fields?.[name] ?? String(message ?? Object.values(fields ?? {}).join(' '))
    fail(name, error)
    // The page was left meanwhile.
    if (!form.current) toast(t('save-state.left', { why: error }))
  }

  function clear(control: Control) {
    const name = nameOf(control)
    if (!name) return
    edited.current.add(name)
    setError(name, undefined)
    setSaveState([name], undefined)
  }

  return {
    form: {
      ref: form,
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
