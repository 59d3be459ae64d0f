import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { type FocusEvent, type FormEvent, useRef, useState } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { MultilineField, TextField } from '../../ui/field.tsx'
import { type Control, invalidMessage, isControl } from '../../ui/invalid.ts'
import { useWords } from '../../ui/words.tsx'
import { keepInfo } from './data.ts'
import { IconField } from './icon-field.tsx'
import { useSaving } from './saving.ts'

const FIELDS = ['name', 'description', 'home_page_url', 'privacy_policy_url'] as const
type FieldName = (typeof FIELDS)[number]

/** What people read about the app. Each field is saved when it is left (or by Enter), and says itself what is wrong. */
export function InfoForm({ app, onName }: { app: ClientInfo; onName: (name: string) => void }) {
  const { t } = useI18n()
  const readOnly = !can(useUser(), clients.updateClientInfo)
  const { errors, save, forget } = useSavedFields(app)

  function field(name: FieldName) {
    return {
      name,
      label: t(`clients.${name}`),
      defaultValue: app[name] ?? '',
      error: errors[name],
      autoComplete: 'off',
      readOnly,
      ...constraintsOf(clients.updateClientInfo, name),
    }
  }

  return (
    <Card>
      <CardBody className="space-y-5">
        <IconField app={app} />
        {/* Fields are checked one by one as they are left, so the browser need not check them all together. */}
        <form
          noValidate
          className="space-y-5"
          onBlur={(event: FocusEvent) => isControl(event.target) && void save(event.target)}
          onInput={(event: FormEvent) => isControl(event.target) && forget(event.target.name as FieldName)}
          onSubmit={(event) => {
            event.preventDefault()
            if (isControl(document.activeElement)) void save(document.activeElement)
          }}
        >
          {/* Without a button, Enter would send no form of several fields. */}
          <button type="submit" hidden />
          <TextField {...field('name')} required onInput={(event) => onName(event.currentTarget.value)} />
          <MultilineField {...withoutType(field('description'))} rows={3} />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField {...field('home_page_url')} placeholder="https://" />
            <TextField {...field('privacy_policy_url')} placeholder="https://" />
          </div>
        </form>
      </CardBody>
    </Card>
  )
}

/** A field of several lines has no kind. */
function withoutType<T extends { type?: unknown }>({ type: _, ...rest }: T) {
  return rest
}

/** Saves fields one at a time; while one waits for its answer, what is typed elsewhere is not touched. */
function useSavedFields(app: ClientInfo) {
  const wires = useWires()
  const words = useWords()
  const tell = useSaving()
  const { refusal } = useRefusal()
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({})
  /** What was sent last, so that leaving a field twice sends once. */
  const sent = useRef<Partial<Record<FieldName, string>>>({})

  const wrong = useRef(new Set<FieldName>())

  function setError(name: FieldName, error: string | undefined) {
    if (error === undefined) wrong.current.delete(name)
    else wrong.current.add(name)
    setErrors(({ [name]: _, ...others }) => (error === undefined ? others : { ...others, [name]: error }))
  }

  function settle(name: FieldName, error?: string) {
    setError(name, error)
    tell(wrong.current.size > 0 ? 'failed' : 'saved')
  }

  async function save(control: Control) {
    const name = FIELDS.find((field) => field === control.name)
    if (!name || ('readOnly' in control && control.readOnly)) return
    const value = control.value.trim()
    if (!control.validity.valid) return settle(name, invalidMessage(control, words.invalid))
    if (value === (sent.current[name] ?? app[name] ?? '')) return settle(name)
    sent.current[name] = value
    tell('saving')
    const answer = await wires.api(clients.updateClientInfo, { id: app.client_id, [name]: value || null })
    if (answer.ok) {
      keepInfo(wires, answer.data)
      return settle(name)
    }
    delete sent.current[name]
    const { fields, message } = refusal(answer)
    settle(name, fields?.[name] ?? message ?? Object.values(fields ?? {}).join(' '))
  }

  return { errors, save, forget: (name: FieldName) => setError(name, undefined) }
}
