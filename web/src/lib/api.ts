import { type Api, auth, createApi, DEVELOPER_HEADER, type Transport } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { OFFLINE, type OnProgress, overUpload } from './upload.ts'

export type ApiWires = {
  /** Origin of the API; empty for that of the pages. */
  base: string
  fetch?: typeof fetch
  /** The organisation that this tab shows; every call names it, so that none acts in that of another tab. */
  developer?(): string | null | undefined
  /** The session went on; this is the person as the server knows them now. */
  onRefreshed?(user: UserInfo): void
  /** The session is over: refreshing was refused. */
  onEnded?(): void
  /** A call wants a fresh sign-in. Resolves to true once the person has proved again who they are. */
  prove?(): Promise<boolean>
}

/** Answers that are files to keep, and no envelope. */
const FILES = /^(application\/zip|text\/csv)/
const REFRESH = `/v1${auth.refresh.path}`
/**
 * The typed caller of the pages. Any 401 is answered by one shared refresh and a retry of the call (specification §4);
 * a 403 `reauthentication_required` by asking the person and a retry. No answer at all is an answer, too: `unavailable`
 * with `http: 0`, so that a page never sees a rejected promise. A file is answered as a `Blob`.
 */
export function openApi(wires: ApiWires): PageApi {
  const plain = overFetch(wires)
  let refreshing: Promise<'renewed' | 'refused' | 'no answer'> | undefined

  async function refresh() {
    const answer = await plain({ method: auth.refresh.method, url: REFRESH, body: {} })
    const envelope = answer.json as { status?: string; data?: UserInfo } | undefined
    if (envelope?.status === 'success' && envelope.data) {
      wires.onRefreshed?.(envelope.data)
      return 'renewed'
    }
    // Being offline, or a server that restarts, ends nobody's session.
    if (answer.status === 0 || answer.status >= 500 || answer.status === 429) return 'no answer'
    wires.onEnded?.()
    return 'refused'
  }

  const patient = (send: Transport) => async (request: Parameters<Transport>[0]) => {
    const first = await send(request)
    if (first.status === 401 && request.url !== REFRESH) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      return (await refreshing) === 'renewed' ? send(request) : first
    }
    if (problemCode(first.json) === 'reauthentication_required' && (await wires.prove?.())) return send(request)
    return first
  }
  return Object.assign(createApi(patient(plain)), {
    watched: (onProgress: OnProgress) => createApi(patient(overUpload(wires.base, onProgress, () => headersOf(wires)))),
  })
}

/** The caller of the pages, and the same one for a big body: it tells how much of it has left. */
export type PageApi = Api & { watched(onProgress: OnProgress): Api }

function headersOf({ developer }: ApiWires): Record<string, string> {
  const named = developer?.()
  return { accept: 'application/json', ...(named ? { [DEVELOPER_HEADER]: named } : {}) }
}

function overFetch(wires: ApiWires): Transport {
  const { base, fetch = globalThis.fetch } = wires
  return async ({ method, url, body }) => {
    try {
      const response = await fetch(base + url, {
        method,
        credentials: base ? 'include' : 'same-origin',
        headers: { ...headersOf(wires), ...(isJson(body) ? { 'content-type': 'application/json' } : {}) },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      const json = FILES.test(response.headers.get('content-type') ?? '')
        ? { status: 'success', data: await response.blob() }
        : await response.json().catch(() => undefined)
      return { status: response.status, json, retry_after: response.headers.get('retry-after') }
    } catch {
      return OFFLINE
    }
  }
}

/** The browser itself says what kind a form is, and where its parts end. */
function isJson(body: unknown): boolean {
  return body !== undefined && !(body instanceof FormData)
}

function problemCode(json: unknown): string | undefined {
  return (json as { error?: { code?: string } } | undefined)?.error?.code
}
