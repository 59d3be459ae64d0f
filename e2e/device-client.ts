import { clients, developers } from '@vrata/contract'
import { studio } from '../server/test/people.ts'
import { dataOf } from '../testing/api-client.ts'
import type { Visitor } from './fixtures.ts'

/** Device authorization response (RFC 8628 §3.2). */
export type DeviceCode = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

/** Registers a client for the device authorization grant (RFC 8628) in a new organization of the visitor. */
export async function registerDeviceClient({ url }: { url: string }, { call }: Visitor) {
  dataOf(await call(developers.createDeveloper, { name: studio.name }))
  const { client_id } = dataOf(await call(clients.createClient, { name: 'Bonaca', type: 'native' }))
  async function send<T>(path: string, form: Record<string, string>): Promise<T> {
    const body = new URLSearchParams({ client_id, ...form })
    return (await (await fetch(url + path, { method: 'POST', body })).json()) as T
  }
  return {
    client_id,
    requestCode: () => send<DeviceCode>('/device_authorization', { scope: 'openid profile email' }),
    /** Token response: tokens, or the error code (RFC 8628 §3.5). */
    requestToken: ({ device_code }: DeviceCode) =>
      send<{ id_token?: string; error?: string }>('/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code,
      }),
  }
}
