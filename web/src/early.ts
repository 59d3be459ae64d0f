/**
 * The only inline script of a document; the policy allows it by its hash (`build/early-script.ts`). It sets the chosen theme
 * before the first paint, shows a message when a script fails to load, and keeps what people do with a prerendered page
 * before React has hydrated it: the press of a button or of its shortcut, and changes of controls. React alone would lose
 * them. They are repeated as soon as the element is hydrated. It also keeps what was typed when a page reloads because a release
 * has removed its code (`main.tsx`).
 *
 * On pages of signed-in users only the script sends forms, so they are held back. Forms of public pages are sent without it.
 */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Milliseconds between two looks whether an element is hydrated, for parts of a page whose code still loads. */
const PAUSE = 50

/** Milliseconds in which a page that reloads itself is left. */
const RELOADING = 10_000

const page = document.documentElement
const changed = new Set<Control>()
let pressed: HTMLButtonElement | undefined
let hydrating = false
let repeating = false

try {
  const theme = localStorage.theme
  if (/^(dark|light)$/.test(theme)) page.dataset.theme = theme
} catch {}

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) page.dataset.failed = ''
  },
  true,
)

/** The prerendered page that has not started; it may be incomplete. */
function earlyPage(): HTMLElement | undefined | null {
  if (!hydrating && page.dataset.started === undefined) return document.querySelector<HTMLElement>('[data-prerendered]')
}

const isRendered = (root: HTMLElement) => root.dataset.rendered !== undefined
const isBox = (control: Element): control is HTMLInputElement => control.matches('[type=checkbox],[type=radio]')

/**
 * Whether React handles events of the element. It hydrates what such an event is for at once, and stops events for what it
 * cannot hydrate yet; no component listens to this one.
 */
function isHydrated(element: Element): boolean {
  let reached = false
  const listen = () => {
    reached = true
  }
  element.addEventListener('touchcancel', listen)
  element.dispatchEvent(new Event('touchcancel'))
  element.removeEventListener('touchcancel', listen)
  return reached
}

function whenHydrated(element: Element, run: () => void): void {
  if (!element.isConnected) return
  if (isHydrated(element)) run()
  else setTimeout(whenHydrated, PAUSE, element, run)
}

function click(element: HTMLElement): void {
  repeating = true
  element.click()
  repeating = false
}

const buttons = () => [...document.querySelectorAll('button')]
/** Fields for text, without passwords, also shown ones. A dialog is not there again after a reload. */
const texts = () => [
  ...document.querySelectorAll<HTMLInputElement>(
    ':is(input,textarea)[name]:read-write:not([type=password],[autocomplete*=password],[role=dialog] *)',
  ),
]

/** Presses a button, or the one in its place where React has rendered the page again, as it does after a mismatch. */
function pressAgain(button: HTMLButtonElement, place: number): void {
  const target = button.isConnected ? button : buttons()[place]
  if (target?.textContent !== button.textContent) return
  // To ask makes React hydrate, which may be what replaces the button.
  if (target && isHydrated(target) && target.isConnected) click(target)
  else setTimeout(pressAgain, PAUSE, button, place)
}

/** Records the changed value of a control; the returned function gives it to React. Hydration may reset controls to what the server rendered. */
function changeOf(control: Control, rendered: boolean): () => void {
  const { value } = control
  const send = (type: string) => control.dispatchEvent(new Event(type, { bubbles: true }))
  if (isBox(control)) {
    if (control.checked === control.defaultChecked) return () => {}
    control.checked = !control.checked
    return () => click(control)
  }
  if (control instanceof HTMLSelectElement)
    return () => {
      control.value = value
      send('change')
    }
  if (control.type === 'file') return () => send('change')
  return () => {
    const typed = control.value === control.defaultValue ? value : control.value
    if (!rendered || typed === control.defaultValue) return
    const { selectionStart, selectionEnd, defaultValue } = control
    // React notices a text by comparing it with the last one that it set or saw itself.
    control.value = defaultValue
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, typed)
    if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd)
    send('input')
  }
}

addEventListener('pagehide', () => {
  // Set by `main.tsx` before it reloads the page.
  if (!(Date.now() - sessionStorage.reloaded < RELOADING)) return
  const typed = texts().filter(({ value, defaultValue }) => value !== defaultValue)
  sessionStorage.typed = JSON.stringify(
    typed.map(({ name, defaultValue, value }) => [location.href, name, defaultValue, value]),
  )
})

// The document is complete, and its scripts have not run.
document.addEventListener(
  'readystatechange',
  () => {
    const typed: string[][] = JSON.parse(sessionStorage.typed ?? '[]')
    delete sessionStorage.typed
    for (const [href, name, before, value = ''] of typed) {
      // The script may have filled in the field before, such as an address from the history entry.
      const isSame = ({ defaultValue }: HTMLInputElement) => !defaultValue || defaultValue === before
      const field = texts().find((one) => one.name === name && isSame(one) && location.href === href)
      if (!field) continue
      field.value = value
      changed.add(field)
    }
  },
  { once: true },
)

addEventListener(
  'submit',
  (event) => {
    const root = earlyPage()
    if (root && isRendered(root)) event.preventDefault()
  },
  true,
)

addEventListener(
  'input',
  ({ target }) => {
    if (earlyPage()) changed.add(target as Control)
    else if (target instanceof HTMLSelectElement && !isHydrated(target)) whenHydrated(target, changeOf(target, false))
  },
  true,
)

addEventListener(
  'click',
  (event) => {
    const target = event.target as Element
    const root = earlyPage()
    const button = target.closest('button')
    if (root && button) {
      if (isRendered(root)) event.preventDefault()
      else if (button.type === 'submit') return
      pressed = button
    } else if (hydrating && !repeating) {
      const control = isBox(target) ? target : button
      // A box changes before its click, and React, which watches its property, must have seen it before that.
      const seen = control === button || (control && Object.hasOwn(control, 'checked'))
      if (!control || (seen && isHydrated(control))) return
      event.preventDefault()
      event.stopImmediatePropagation()
      setTimeout(whenHydrated, 0, control, () => click(control))
    }
  },
  true,
)

// Ctrl+K; where it works, a button names it.
addEventListener('keydown', (event) => {
  const button = document.querySelector<HTMLButtonElement>('[aria-keyshortcuts]')
  if (!button || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
  if (earlyPage()) pressed = button
  else if (hydrating && !isHydrated(button)) whenHydrated(button, () => click(button))
  else return
  event.preventDefault()
})

// Sent by `main.tsx` when React begins to hydrate.
addEventListener('hydrating', () => {
  const root = earlyPage()
  if (!root) return
  hydrating = true
  const button = pressed
  const repeated = [...changed].map((control) => [control, changeOf(control, isRendered(root))] as const)
  for (const [control, run] of repeated) whenHydrated(control, run)
  if (button) pressAgain(button, buttons().indexOf(button))
})
