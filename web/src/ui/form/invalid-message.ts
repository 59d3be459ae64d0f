import type { Words } from '../words.tsx'

/** Form controls that can be validated. */
export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function isControl(element: unknown): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}

/**
 * Validation message in the language of the page; the browser's own would use its language. `data-invalid` overrides it
 * except for missing values.
 */
export function invalidMessage(control: Control, words: Words['invalid']): string {
  const { validity } = control
  if (validity.customError) return control.validationMessage
  if (validity.valueMissing) return missingMessage(control, words)
  if (control.dataset.invalid) return control.dataset.invalid
  if (validity.tooShort && !(control instanceof HTMLSelectElement)) return words.too_short(control.minLength)
  if (validity.typeMismatch && control.type === 'email') return words.email
  if (validity.typeMismatch && control.type === 'url') return words.url
  if (validity.patternMismatch) return words.pattern
  return words.other
}

/** `autocomplete` marks fields about the person; their label completes the sentence. */
function missingMessage(control: Control, words: Words['invalid']): string {
  const label = control.labels?.[0]?.textContent
  const own = control.autocomplete && control.autocomplete !== 'off'
  return label && own ? words.required_own(label) : words.required
}
