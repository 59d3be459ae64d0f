import { type Api, createApi, DEVELOPER_HEADER, sessions, type Transport } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { NO_RESPONSE } from './no-response.ts'
import type { OnProgress } from './upload.ts'

export type PageApiOptions = {
  /** Origin of the API; empty for the origin of the pages. */
  base: string
  fetch?: typeof fetch
  /** Organization of this tab, sent with every call so that another tab's choice has no effect. */
  developer?(): string | null | undefined
  /** The session of the user whom the page shows. */
  session?(): string | undefined
  /** The session was renewed; `user` is current. False where it is another person's: their session must not make a call of this page. */
  onRefreshed?(user: UserInfo): boolean
  /** The session has ended: the refresh was rejected. */
  onEnded?(): void
  /** A call was refused with 403 or 409; its answer waits for this. */
  onRefused?(): Promise<void>
  /**
   * A call requires reauthentication; `page` is the path of the page that made it. Resolves to true when the user has reauthenticated;
   * rejects when its code cannot be loaded.
   */
  reauthenticate?(page: string): Promise<boolean>
}

/** Content types of downloads, which have no envelope. */
const FILES = /^(application\/zip|text\/csv)/
/** Milliseconds for the answer to a change, which the server gives within ten seconds: a dialog stays open until then. Files may take longer. */
const LONGEST = 30_000
const REFRESH = `/v1${sessions.refresh.path}`
/**
 * API client of the pages. A 401 triggers one shared refresh and a retry (api §2.3); a 403 `reauthentication_required`
 * asks the user and retries (api §2.7). Without a response it returns `unavailable` with `http: 0`, so promises never
 * reject. Files are returned as `Blob`.
 */
export function createPageApi(context: PageApiOptions): PageApi {
  const transport = fetchTransport(context)
  let refreshing: ReturnType<typeof refresh> | undefined
  /** A refresh that was called itself. Others wait for it: its late answer would replace the cookies that they get. */
  let called: ReturnType<Transport> | undefined

  /** Whether the session was renewed, or the answer that it cannot be now. */
  async function refresh(
    session: string | undefined,
    isFirst = true,
  ): Promise<boolean | Awaited<ReturnType<Transport>>> {
    const answer = await transport({ method: sessions.refresh.method, url: REFRESH, body: {} })
    const envelope = answer.json as { status?: string; data?: UserInfo } | undefined
    if (envelope?.status === 'success' && envelope.data) return context.onRefreshed?.(envelope.data) ?? true
    // A network error or a restarting server does not end the session.
    if (answer.status === 0 || answer.status >= 500 || answer.status === 429) return answer
    // Another tab may have made an authentication step, whose answer with the new cookie is about to arrive.
    if (isFirst) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return refresh(session, false)
    }
    // Meanwhile the user may have signed out, and another person signed in: that session has not ended.
    if (context.session?.() === session) context.onEnded?.()
    return false
  }

  /** Sends a request, and again once a 401 has renewed the session. When it cannot be renewed now, returns that failure; the session stays. */
  async function sendRenewed(send: Transport, request: Parameters<Transport>[0]): ReturnType<Transport> {
    const session = context.session?.()
    const first = await send(request)
    if (first.status !== 401) return first
    if ((await called)?.status === 200) return send(request)
    refreshing ??= refresh(session).finally(() => {
      refreshing = undefined
    })
    const renewed = await refreshing
    return renewed === true ? send(request) : renewed || first
  }

  const withRefresh = (send: Transport) => async (request: Parameters<Transport>[0]) => {
    if (request.url === REFRESH) {
      await refreshing
      called = send(request).finally(() => {
        called = undefined
      })
      return called
    }
    const page = globalThis.location?.pathname
    let answer = await sendRenewed(send, request)
    try {
      if (problemCode(answer.json) === 'reauthentication_required' && (await context.reauthenticate?.(page)))
        answer = await sendRenewed(send, request)
    } catch {
      return NO_RESPONSE
    }
    if (answer.status === 403 || answer.status === 409) await context.onRefused?.()
    return answer
  }
  return Object.assign(createApi(withRefresh(transport)), {
    withProgress: (onProgress: OnProgress) => createApi(withRefresh(lazyUpload(context, onProgress))),
  })
}

/** Loads the upload code with the first upload, because public pages have none. */
function lazyUpload(context: PageApiOptions, onProgress: OnProgress): Transport {
  return async (request) => {
    const file = await import('./upload.ts').catch(() => undefined)
    return file ? file.uploadTransport(context.base, onProgress, () => headersOf(context))(request) : NO_RESPONSE
  }
}

/** API client with a variant that reports upload progress. */
export type PageApi = Api & { withProgress(onProgress: OnProgress): Api }

function headersOf({ developer }: PageApiOptions): Record<string, string> {
  const named = developer?.()
  return { accept: 'application/json', ...(named ? { [DEVELOPER_HEADER]: named } : {}) }
}

function fetchTransport(context: PageApiOptions): Transport {
  const { base, fetch = globalThis.fetch } = context
  return async ({ method, url, body }) => {
    try {
      const response = await fetch(base + url, {
        method,
        credentials: base ? 'include' : 'same-origin',
        headers: { ...headersOf(context), ...(isJson(body) ? { 'content-type': 'application/json' } : {}) },
        signal: method === 'GET' || body instanceof FormData ? null : AbortSignal.timeout(LONGEST),
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      const json = FILES.test(response.headers.get('content-type') ?? '')
        ? { status: 'success', data: await response.blob() }
        : await response.json().catch(() => undefined)
      return { status: response.status, json, retry_after: response.headers.get('retry-after') }
    } catch {
      return NO_RESPONSE
    }
  }
}

/** The browser sets content type and boundary of form data. */
function isJson(body: unknown): boolean {
  return body !== undefined && !(body instanceof FormData)
}

function problemCode(json: unknown): string | undefined {
  return (json as { error?: { code?: string } } | undefined)?.error?.code
}
