import type { ReactNode } from 'react'
import type { DateFieldProps } from './date-field.tsx'
import type { FormRefusal } from './form.tsx'
import type { LookLive } from './live-text-field.tsx'

type Named = { name: string; label: string; hint?: ReactNode }
type Typed = Named & { value?: string; required?: boolean; invalid?: string; placeholder?: string }

/** The field kinds of the shared dialog (specification §2, "Shared dialog"), and the password that some questions need. */
export type AskField =
  | (Typed & {
      kind: 'text'
      type?: 'text' | 'email' | 'url' | 'tel'
      minLength?: number
      maxLength?: number
      pattern?: string
      autoComplete?: string
      /** Looks at each text that passes the other constraints, while it is being written. */
      live?: LookLive
      /** Only this very text is right; for deeds that ask to type a name. `invalid` says so. */
      exactly?: string
    })
  | (Typed & { kind: 'password'; autoComplete: 'current-password' | 'new-password'; minLength?: number })
  | (Typed & { kind: 'multiline'; minLength?: number; maxLength?: number })
  /** A short list, as the browser shows it. */
  | (Named & { kind: 'select'; value?: string; options: readonly AskOption[] })
  /** A day, asked for in the order and the words of a language. */
  | ({ kind: 'date' } & DateFieldProps)
  /** A list with search; sends the option's `value`. */
  | (Typed & { kind: 'list'; options: readonly AskOption[] })
  /** Free text with suggestions. */
  | (Typed & { kind: 'datalist'; options: readonly string[] })
  /** Read-only, and sent with the rest. */
  | (Named & { kind: 'disabled'; value: string })
  /** Words between the fields. */
  | { kind: 'description'; text: ReactNode }

export type AskOption = { value: string; label: string }

/** `id` is what `ask` answers with; a button without one cancels, unless it is the last. */
export type AskButton = { label: string; id?: string }

export type Question = {
  title: string
  message?: ReactNode
  fields?: readonly AskField[]
  /** The last one is the deed: Enter presses it, and it alone checks the fields. */
  buttons: readonly AskButton[]
  /** The deed destroys something: the last button is red. */
  danger?: boolean
  /** Does the deed while the dialog stays open; what it refuses shows on the fields. */
  send?: (values: Record<string, string>) => Promise<FormRefusal | undefined>
}

export type Answer = { button: string; values: Record<string, string> }

export type Asked = Question & {
  key: number
  /** What had the focus when the question came up, and gets it back. */
  asker: Element | null
  /** Only the closing of the dialog is still to be seen. */
  answered: boolean
  /** Resolves the promise and makes way for the next question. */
  answer: (answer: Answer | null) => void
}

/** Id of the last button when it names none. */
export const DEED = 'ok'

/** The closing movement of the dialog, with a little air, in milliseconds. */
const CLOSING = 250

let keys = 0
let queue: readonly Asked[] = []
const listeners = new Set<() => void>()

function change(next: readonly Asked[]) {
  queue = next
  for (const listener of listeners) listener()
}

/** Opens the shared dialog. Answers the pressed button with the values, or null when it was cancelled. */
export function ask(question: Question): Promise<Answer | null> {
  return new Promise((resolve) => {
    const key = ++keys
    const answer = (given: Answer | null) => {
      resolve(given)
      change(queue.map((asked) => (asked.key === key ? { ...asked, answered: true } : asked)))
      setTimeout(() => change(queue.filter((asked) => asked.key !== key)), CLOSING)
    }
    change([...queue, { ...question, key, asker: document.activeElement, answered: false, answer }])
  })
}

/** Cancels what is still being asked: the page that asked is being left. */
export function dismissQuestions(): void {
  for (const asked of queue) if (!asked.answered) asked.answer(null)
}

/** The questions on the screen, for the dialog's host: each later one lies on top, as the deed of an earlier one asked it. */
export const questions = {
  open: (): readonly Asked[] => queue,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
