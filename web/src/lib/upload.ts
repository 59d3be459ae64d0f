import type { Transport } from '@vrata/contract'

/** Hears how much of a body has left, from 0 to 1. */
export type OnProgress = (share: number) => void

/** What stands for an answer when none came. */
export const OFFLINE = { status: 0, json: { status: 'error', error: { code: 'unavailable', message: 'No answer' } } }

/** Sends a form with a file in it. `fetch` cannot tell how far it is, so this is the older way. */
export function overUpload(base: string, onProgress: OnProgress, headers: () => Record<string, string>): Transport {
  return ({ method, url, body }) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.open(method, base + url)
      request.responseType = 'json'
      request.withCredentials = base !== ''
      for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total)
      }
      request.onloadend = () => {
        const { status, response: json } = request
        resolve(status === 0 ? OFFLINE : { status, json, retry_after: request.getResponseHeader('retry-after') })
      }
      request.send(body as FormData)
    })
}
