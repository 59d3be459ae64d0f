/** Prints a text alone, in a same-origin frame, which the content security policy allows. */
export function printText(text: string): void {
  const frame = document.createElement('iframe')
  frame.className = 'sr-only'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page) return
  const block = page.createElement('pre')
  block.textContent = text
  page.body.append(block)
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}
