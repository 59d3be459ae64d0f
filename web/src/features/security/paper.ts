/** Hands a text to the browser as a file to save. */
export function saveText(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Prints a text alone, without the page around it: a frame of this origin needs nothing that the policy forbids. */
export function printText(text: string): void {
  const frame = document.createElement('iframe')
  frame.className = 'sr-only'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  document.body.append(frame)
  const paper = frame.contentDocument
  if (!paper) return
  const sheet = paper.createElement('pre')
  sheet.textContent = text
  paper.body.append(sheet)
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}
