import type { Words } from './words.tsx'

/** Form controls that can be focused and checked. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function isControl(element: unknown): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}

/**
 * Why a control is invalid, in the page's language: the browser's own message would be in the browser's language.
 * A field's `invalid` sentence (kept in `data-invalid`) wins for everything but emptiness.
 */
export function invalidMessage(control: Control, words: Words['invalid']): string {
  const { validity } = control
  if (validity.customError) return control.validationMessage
  if (validity.valueMissing) return words.required
  if (control.dataset.invalid) return control.dataset.invalid
  if (validity.tooShort && !(control instanceof HTMLSelectElement)) return words.too_short(control.minLength)
  if (validity.typeMismatch && control.type === 'email') return words.email
  if (validity.typeMismatch && control.type === 'url') return words.url
  if (validity.patternMismatch) return words.pattern
  return words.other
}
