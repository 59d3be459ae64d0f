import type { Transport } from '@vrata/contract'
import { NO_RESPONSE } from './no-response.ts'

/** Receives the sent share of a body, from 0 to 1. */
export type OnProgress = (share: number) => void

/** A document in YAML is sent as it is, all else as a form. */
const DOCUMENT = 'application/yaml'

/** Sends a file with progress events, which `fetch` does not have. */
export function uploadTransport(
  base: string,
  onProgress: OnProgress,
  headers: () => Record<string, string>,
): Transport {
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
        resolve(status === 0 ? NO_RESPONSE : { status, json, retry_after: request.getResponseHeader('retry-after') })
      }
      const form = body as FormData
      const document = form.get('document')
      request.send(document instanceof File && document.type === DOCUMENT ? document : form)
    })
}
