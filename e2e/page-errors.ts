import type { BrowserContext, ConsoleMessage } from '@playwright/test'

/**
 * Reports errors in all tabs of a browser context: exceptions, console errors (a hydration mismatch is one), violations of
 * the content security policy, requests to a foreign host, and responses with status 5xx.
 */
export async function recordPageErrors(context: BrowserContext, report: (error: string) => void): Promise<void> {
  context.on('weberror', (error) => report(`thrown: ${error.error().stack || error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isClientError(message))
      report(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== 'localhost') report(`foreign host: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) report(`${response.status()}: ${response.url()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}`)
    })
  })
}

/**
 * Chromium logs every response with status 4xx as an error, and a socket that is rejected because another tab has just
 * signed out. The pages expect both.
 */
function isClientError(message: ConsoleMessage): boolean {
  return /^(Failed to load resource: the server responded with a status of 4\d\d|WebSocket .* HTTP Authentication failed)/.test(
    message.text(),
  )
}
