/** The elements of the page around one, the nearest first; none in a dialog. */
export function elementsAround(element: Element | null): Element[] {
  const parent = element?.parentElement?.closest('main *')
  return parent ? [parent, ...elementsAround(parent)] : []
}

/** The heading nearest to where something was: of those elements around it that are still there, else of the page. It can receive the focus. */
export function headingNear(around: readonly Element[]): HTMLElement | null {
  const near = around.find((element) => element.isConnected && element.querySelector(HEADINGS))
  const heading = near?.querySelector<HTMLElement>(HEADINGS) ?? document.querySelector('h1')
  heading?.setAttribute('tabindex', '-1')
  return heading
}
const HEADINGS = 'h1, h2, h3'

/**
 * Where the control that has the focus is removed and nothing takes the focus, as when an answer replaces the form that asked for it, the nearest
 * heading gets it, so that screen readers read the new content and the next Tab continues there. Until the returned function is called.
 */
export function keepFocus(): () => void {
  let focused: Element | undefined
  let around: Element[] = []

  function remember({ target }: FocusEvent) {
    focused = target as Element
    around = elementsAround(focused)
  }
  /** Some browsers report that a removed element has lost the focus. */
  function forget({ target }: FocusEvent) {
    queueMicrotask(() => {
      if (target === focused && focused?.isConnected) focused = undefined
    })
  }
  const observer = new MutationObserver(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    focused = undefined
    if (around.length > 0) headingNear(around)?.focus({ preventScroll: true })
  })

  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', forget)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', forget)
    observer.disconnect()
  }
}
