import { SignInError } from './error.ts'
import { type AuthorizationResponse, authorizationUrl, createRequest, parseResponse } from './request.ts'
import type { PendingRequest, SignInOptions, SignInResult } from './types.ts'

const CHANNEL = 'vrata.sign-in'
/** Interval in milliseconds at which the popup is checked. */
const POLL_INTERVAL = 100
/** Milliseconds to wait for a response after the popup was closed. */
const GRACE = 1000

/** Ends the previous sign-in when another one starts. */
let cancelCurrent: (() => void) | undefined

/**
 * Signs a user in. Call it from a click handler, otherwise the browser blocks the popup. With `display: 'redirect'` or
 * a blocked popup it leaves the page and its promise never settles; `completeSignIn` at the redirect URI continues.
 *
 * @throws {SignInError}
 */
export async function signIn(options: SignInOptions): Promise<SignInResult> {
  cancelCurrent?.()
  const request = createRequest(options)
  const popup = options.display === 'redirect' ? null : open('', '_blank', popupFeatures())
  if (popup) return signInByPopup(popup, request, options)
  if (options.display !== 'redirect' && options.fallback === false) throw new SignInError('blocked')
  sessionStorage.setItem(CHANNEL + request.state, JSON.stringify(request))
  location.assign(await authorizationUrl(request, options, 'query'))
  return new Promise(() => {})
}

/**
 * For the page at the redirect URI. Finishes a sign-in that left the page, or hands the response of an isolated popup
 * to its opener and closes. Returns undefined when there is nothing to finish.
 *
 * @throws {SignInError}
 */
export async function completeSignIn(): Promise<SignInResult | undefined> {
  const response: AuthorizationResponse = Object.fromEntries(new URLSearchParams(location.search))
  if (!response.state || !(response.code || response.error)) return undefined
  const key = CHANNEL + response.state
  const stored = sessionStorage.getItem(key)
  if (!stored) return relay(response)
  sessionStorage.removeItem(key)
  // Removes the code from the address and the history, so that a reload does not send it again.
  history.replaceState(history.state, '', location.pathname)
  return parseResponse(response, JSON.parse(stored))
}

/**
 * A popup without an opener (Cross-Origin-Opener-Policy) reaches the opening page through a BroadcastChannel of their
 * common origin.
 */
function relay(response: AuthorizationResponse): Promise<undefined> {
  const channel = new BroadcastChannel(CHANNEL)
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new SignInError('failed', 'invalid_response')), GRACE)
    channel.onmessage = ({ data }) => {
      if (data.received !== response.state) return
      clearTimeout(timer)
      close()
    }
    channel.postMessage({ response })
  })
}

function signInByPopup(popup: Window, request: PendingRequest, options: SignInOptions): Promise<SignInResult> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL)

    const finish = (response: AuthorizationResponse) => {
      end()
      popup.close()
      try {
        resolve(parseResponse(response, request))
      } catch (error) {
        reject(error)
      }
    }
    const fail = (error: SignInError) => {
      end()
      popup.close()
      reject(error)
    }
    const onMessage = ({ origin, data }: MessageEvent) => {
      if (origin !== request.issuer || data?.type !== 'authorization_response') return
      if (data.response?.state === request.state) finish(data.response)
    }
    channel.onmessage = ({ data }) => {
      if (data.response?.state !== request.state) return
      channel.postMessage({ received: request.state })
      finish(data.response)
    }
    const polling = setInterval(() => {
      if (!popup.closed) return
      clearInterval(polling)
      // A response may still arrive. An isolated page cannot see whether its popup is closed and keeps waiting.
      closing = setTimeout(async () => {
        if (!(await isIsolated())) fail(new SignInError('closed'))
      }, GRACE)
    }, POLL_INTERVAL)
    const timeout = setTimeout(() => fail(new SignInError('timeout')), (options.timeout ?? 600) * 1000)
    let closing: ReturnType<typeof setTimeout> | undefined
    function end() {
      for (const id of [polling, timeout, closing]) clearTimeout(id)
      removeEventListener('message', onMessage)
      channel.close()
      // Another one may have started while `isIsolated` waited.
      if (cancelCurrent === cancel) cancelCurrent = undefined
    }

    const cancel = () => fail(new SignInError('closed'))
    cancelCurrent = cancel
    addEventListener('message', onMessage)
    authorizationUrl(request, options, 'web_message').then(
      (address) => {
        popup.location.replace(address)
      },
      (error) => fail(new SignInError('failed', 'invalid_request', String(error))),
    )
  })
}

/**
 * Whether this page is isolated from windows that it opens (Cross-Origin-Opener-Policy). The browser then reports each
 * of them as closed as soon as it shows a page of another origin. Scripts cannot read the policy, so the page requests
 * itself.
 */
async function isIsolated(): Promise<boolean> {
  const response = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined)
  return /^(same-origin|noopener-allow-popups)\b(?!-allow)/.test(
    response?.headers.get('cross-origin-opener-policy')?.trim() ?? '',
  )
}

/** Window features: centered over the current window. */
function popupFeatures(): string {
  const [width, height] = [480, 720]
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2))
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
