import type { ReactNode } from 'react'
import type { DateFieldProps } from '../form/date-field.tsx'
import type { SubmitErrors } from '../form/form.tsx'
import type { ValidateText } from '../form/validated-text-field.tsx'

type Named = { name: string; label: string; hint?: ReactNode }
type Typed = Named & { value?: string; required?: boolean; invalid?: string; placeholder?: string }
/** Shown, and submitted, only while this select has this value. */
type Conditional = { shownFor?: { select: string; value: string } }

/** Fields of the dialog (product §2.6). */
export type DialogFieldOptions =
  | (Typed &
      Conditional & {
        kind: 'text'
        type?: 'text' | 'email' | 'url' | 'tel'
        minLength?: number
        maxLength?: number
        pattern?: string
        autoComplete?: string
        /** Note beside the label of an optional field. */
        optional?: string
        /** Validates the text while typing, after native constraints pass. */
        live?: ValidateText
        /** Only this text is valid, whatever its spaces; for confirmation by typing a name. */
        exactly?: string
      })
  | (Typed & { kind: 'password'; autoComplete: 'current-password' | 'new-password'; minLength?: number })
  | (Typed & Conditional & { kind: 'multiline'; minLength?: number; maxLength?: number })
  /** Native select for short lists. */
  | (Named & { kind: 'select'; value?: string; options: readonly SelectOption[] })
  /** Date in the order and words of the language. */
  | ({ kind: 'date' } & DateFieldProps)
  /** List with search; submits the option's `value`. */
  | (Typed & { kind: 'list'; options: readonly SelectOption[] })
  /** Text with suggestions. */
  | (Typed & { kind: 'datalist'; options: readonly string[] })
  /** Read-only and submitted. */
  | (Named & { kind: 'disabled'; value: string })
  /** Text between fields. */
  | { kind: 'description'; text: ReactNode }

export type SelectOption = { value: string; label: string }

/** `id` is returned by `showDialog`. A button without one cancels, unless it is the last. */
export type DialogButton = { label: string; id?: string }

export type DialogOptions = {
  title: string
  message?: ReactNode
  fields?: readonly DialogFieldOptions[]
  /** The last button submits; Enter presses it, and only it validates the fields. */
  buttons: readonly DialogButton[]
  /** Destructive: the last button is red. */
  danger?: boolean
  /** The content is shown only once, so a press beside the dialog does not close it. */
  shownOnce?: boolean
  /** Runs while the dialog stays open; returned errors appear on the fields. */
  onSubmit?: (values: Record<string, string>) => Promise<SubmitErrors | undefined>
}

export type DialogResult = { button: string; values: Record<string, string> }

export type OpenDialog = DialogOptions & {
  key: number
  /** The element that had the focus before. */
  returnFocusTo: Element | null
  /** The closing animation is running. */
  closed: boolean
  /** Resolves the promise and shows the next dialog. */
  close: (answer: DialogResult | null) => void
}

/** Id of the last button by default. */
export const SUBMIT = 'ok'

/** Duration of the closing animation in milliseconds, with reserve. */
const CLOSE_DURATION = 250

let lastKey = 0
let queue: readonly OpenDialog[] = []
const listeners = new Set<() => void>()

function change(next: readonly OpenDialog[]) {
  queue = next
  for (const listener of listeners) listener()
}

/** Opens the dialog. Resolves to the pressed button and the values, or null when canceled. */
export function showDialog(options: DialogOptions): Promise<DialogResult | null> {
  return new Promise((resolve) => {
    const key = ++lastKey
    const close = (result: DialogResult | null) => {
      resolve(result)
      change(queue.map((dialog) => (dialog.key === key ? { ...dialog, closed: true } : dialog)))
      setTimeout(() => change(queue.filter((dialog) => dialog.key !== key)), CLOSE_DURATION)
    }
    change([...queue, { ...options, key, returnFocusTo: document.activeElement, closed: false, close }])
  })
}

/** Cancels open dialogs when the page is left. */
export function closeDialogs(): void {
  for (const dialog of queue) if (!dialog.closed) dialog.close(null)
}

/** Open dialogs for the host; later ones were opened by earlier ones and lie on top. */
export const dialogs = {
  open: (): readonly OpenDialog[] => queue,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
