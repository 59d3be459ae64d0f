/** Passes an authorization response from the window of a test sign-in to the page that opened it. */
const CHANNEL = 'test-sign-in'

export type AuthorizationResponse = Partial<Record<'code' | 'state' | 'iss' | 'error' | 'error_description', string>>

export function sendAuthorizationResponse(response: AuthorizationResponse): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(response)
  channel.close()
}

/** Resolves with the response to the request with this `state`; undefined after `signal` aborts. */
export function waitForAuthorizationResponse(
  state: string,
  signal: AbortSignal,
): Promise<AuthorizationResponse | undefined> {
  const channel = new BroadcastChannel(CHANNEL)
  return new Promise<AuthorizationResponse | undefined>((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<AuthorizationResponse>) => {
      if (data.state === state) resolve(data)
    }
    signal.addEventListener('abort', () => resolve(undefined))
  }).finally(() => channel.close())
}
