import { SignInError } from './error.ts'
import { type Answer, addressOf, begin, resultOf } from './request.ts'
import type { Pending, SignInOptions, SignInResult } from './types.ts'

const CHANNEL = 'vrata.sign-in'
/** How often a popup is looked at, in milliseconds. */
const LOOK = 100
/** How long an answer may be under way when the popup is gone already. */
const GRACE = 1000

/** Ends the popup that is open, when another sign-in begins. */
let abandon: (() => void) | undefined

/**
 * Signs somebody in. Call it from a press of theirs, or the browser blocks the popup. When it leaves the page instead
 * (`display: 'redirect'`, or a blocked popup), its promise never settles: `completeSignIn` at the redirect URI goes on.
 *
 * @throws {SignInError}
 */
export async function signIn(options: SignInOptions): Promise<SignInResult> {
  abandon?.()
  const pending = begin(options)
  const popup = options.display === 'redirect' ? null : open('', '_blank', place())
  if (popup) return inPopup(popup, pending, options)
  if (options.display !== 'redirect' && options.fallback === false) throw new SignInError('blocked')
  sessionStorage.setItem(CHANNEL + pending.state, JSON.stringify(pending))
  location.assign(await addressOf(pending, options, 'query'))
  return new Promise(() => {})
}

/**
 * For the page at the redirect URI: finishes a sign-in that left the page, or hands the answer of an isolated popup to the
 * page that opened it and closes. Answers undefined where there is nothing to finish.
 *
 * @throws {SignInError}
 */
export async function completeSignIn(): Promise<SignInResult | undefined> {
  const answer: Answer = Object.fromEntries(new URLSearchParams(location.search))
  if (!answer.state || !(answer.code || answer.error)) return undefined
  const key = CHANNEL + answer.state
  const stored = sessionStorage.getItem(key)
  if (!stored) return relay(answer)
  sessionStorage.removeItem(key)
  // A code in the address bar would be in the history, and be tried again with every reload.
  history.replaceState(history.state, '', location.pathname)
  return resultOf(answer, JSON.parse(stored))
}

/** This page may be the popup of a page that cut the tie to it: the two still share an origin, and so a channel. */
function relay(answer: Answer): Promise<undefined> {
  const channel = new BroadcastChannel(CHANNEL)
  return new Promise((_, reject) => {
    const nobody = setTimeout(() => reject(new SignInError('failed', 'invalid_response')), GRACE)
    channel.onmessage = ({ data }) => {
      if (data.taken !== answer.state) return
      clearTimeout(nobody)
      close()
    }
    channel.postMessage({ answer })
  })
}

function inPopup(popup: Window, pending: Pending, options: SignInOptions): Promise<SignInResult> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL)

    const finish = (answer: Answer) => {
      end()
      popup.close()
      try {
        resolve(resultOf(answer, pending))
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
      if (origin !== pending.issuer || data?.type !== 'authorization_response') return
      if (data.response?.state === pending.state) finish(data.response)
    }
    channel.onmessage = ({ data }) => {
      if (data.answer?.state !== pending.state) return
      channel.postMessage({ taken: pending.state })
      finish(data.answer)
    }
    const looking = setInterval(() => {
      if (!popup.closed) return
      clearInterval(looking)
      // An answer may be under way. An isolated page cannot see whether its popup is closed, and waits on.
      leaving = setTimeout(async () => {
        if (!(await isIsolated())) fail(new SignInError('closed'))
      }, GRACE)
    }, LOOK)
    const waiting = setTimeout(() => fail(new SignInError('timeout')), (options.timeout ?? 600) * 1000)
    let leaving: ReturnType<typeof setTimeout> | undefined
    function end() {
      for (const timer of [looking, waiting, leaving]) clearTimeout(timer)
      removeEventListener('message', onMessage)
      channel.close()
      abandon = undefined
    }

    abandon = () => fail(new SignInError('closed'))
    addEventListener('message', onMessage)
    addressOf(pending, options, 'web_message').then(
      (address) => {
        popup.location.replace(address)
      },
      (error) => fail(new SignInError('failed', 'invalid_request', String(error))),
    )
  })
}

/**
 * Whether this page has cut the tie to windows it opens (Cross-Origin-Opener-Policy): the browser then calls each of them
 * closed as soon as it shows a page of somebody else. A script cannot ask the browser, but it can ask for its own page.
 */
async function isIsolated(): Promise<boolean> {
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined)
  return /^(same-origin|noopener-allow-popups)\b(?!-allow)/.test(
    answer?.headers.get('cross-origin-opener-policy')?.trim() ?? '',
  )
}

/** In the middle of the window it belongs to. */
function place(): string {
  const [width, height] = [480, 720]
  const left = Math.max(0, Math.round(screenX + (outerWidth - width) / 2))
  const top = Math.max(0, Math.round(screenY + (outerHeight - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
