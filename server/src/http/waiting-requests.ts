import type { CookieJar } from './cookies.ts'

/** Authorization requests that one browser may have waiting, each in a tab. */
const MAX_WAITING = 5

/** Records in a cookie that the authorization request waits in this browser. */
export function addWaitingRequest(cookies: CookieJar, uid: string): void {
  const waiting = waitingRequests(cookies)
  if (waiting[0] !== uid)
    cookies.write('requests', [uid, ...waiting.filter((one) => one !== uid)].slice(0, MAX_WAITING).join('.'))
}

/** Whether the authorization request waits in this browser, so that its pages may name the client (security §19.20). */
export function isWaitingRequest(cookies: CookieJar, uid: string): boolean {
  return waitingRequests(cookies).includes(uid)
}

function waitingRequests(cookies: CookieJar): string[] {
  return cookies.read('requests')?.split('.') ?? []
}
