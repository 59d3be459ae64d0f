import type { AnyRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import type { AppContext } from '../lib/app-context.tsx'
import { currentUser } from '../lib/session.ts'

type Field = HTMLInputElement | HTMLTextAreaElement
type TypedText = { dialog: string; name: string; label: string; before: string; value: string }

/**
 * A page is left when its session ends. What was typed in it and not sent stays in the memory of the document, neither shown nor stored,
 * and is put back when the same person has signed in again and the field is there again, also in a dialog that they open again
 * (design §7.30).
 */
export function keepTypedTexts(context: AppContext, router: AnyRouter): void {
  let kept: { user_id: string; path: string; texts: TypedText[] } | undefined
  const observer = new MutationObserver(putBack)

  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
    const user = currentUser(context)
    if (!user || !fromLocation || !pathChanged) return
    const path = fromLocation.pathname
    // With a redirect the session has ended by itself (`paths.sessionEnded`).
    if (toLocation.pathname === paths.logout && 'redirect' in toLocation.search) keep(user.id, path)
    else if (kept?.path === path && kept.user_id === user.id) forget()
  })

  function keep(user_id: string, path: string) {
    const texts = fields().filter(isTyped).map(describe)
    if (texts.length === 0) return
    kept = { user_id, path, texts }
    observer.observe(document.body, { childList: true, subtree: true })
  }

  function forget() {
    kept = undefined
    observer.disconnect()
  }

  function putBack() {
    const user = currentUser(context)
    if (!kept || !user) return
    if (user.id !== kept.user_id) return forget()
    if (location.pathname !== kept.path) return
    const left = [...kept.texts]
    const found = fields().flatMap((field) => {
      const at = isTyped(field) ? -1 : left.findIndex((one) => isFieldOf(one, field))
      return at < 0 ? [] : left.splice(at, 1).map((text) => ({ field, text }))
    })
    if (found.length === 0) return
    kept.texts = left
    if (kept.texts.length === 0) forget()
    // A field that is saved when it is left must be left once more: each but the last is at once.
    for (const { field, text } of found) {
      type(field, text.value)
      field.focus()
    }
  }
}

/** Fields of forms for text, without passwords, also shown ones, codes, which may be those for recovery, and searches, which send nothing. */
const fields = () => [...document.querySelectorAll<Field>(`form :is(input,textarea)[name]:not(${OTHERS})`)]
const OTHERS =
  '[readonly],[autocomplete*=password],[autocomplete=one-time-code],[type=password],[type=search],[type=file],[type=hidden],[type=checkbox],[type=radio]'

const isTyped = ({ value, defaultValue }: Field) => value !== defaultValue

const labelOf = (field: Field) => field.labels?.[0]?.textContent ?? field.ariaLabel ?? ''

/** The title of the dialog, which names the app or organization where its page has several. */
const dialogOf = (field: Field) => field.closest('[role=dialog]')?.querySelector('h2')?.textContent ?? ''

function describe(field: Field): TypedText {
  const { name, value, defaultValue } = field
  return { dialog: dialogOf(field), name, label: labelOf(field), before: defaultValue, value }
}

function isFieldOf({ dialog, name, label, before }: TypedText, field: Field): boolean {
  const isSame = field.name === name && labelOf(field) === label && field.defaultValue === before
  return isSame && dialogOf(field) === dialog
}

/** Sets the text like a person, so that React notices it: React ignores a text that was set through the property of the element. */
function type(field: Field, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
