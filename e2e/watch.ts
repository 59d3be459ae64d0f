import type { BrowserContext, ConsoleMessage } from '@playwright/test'

/**
 * Notes whatever a page must never do, in all tabs of a browser: throw, complain in the console (hydration that does
 * not match is such a complaint), break its own policy, ask a foreign host for anything.
 */
export async function watch(context: BrowserContext, note: (trouble: string) => void): Promise<void> {
  context.on('weberror', (error) => note(`thrown: ${error.error().stack}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message))
      note(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== 'localhost') note(`foreign host: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) note(`${response.status()}: ${response.url()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}`)
    })
  })
}

/**
 * Chromium reports every answer of 4xx as an error, and a socket that is refused because another tab has just signed out;
 * to the pages a refusal is an answer like others.
 */
function isRefusal(message: ConsoleMessage): boolean {
  return /^(Failed to load resource: the server responded with a status of 4\d\d|WebSocket .* HTTP Authentication failed)/.test(
    message.text(),
  )
}
