import { clients, developers } from '@vrata/contract'
import { studio } from '../server/test/people.ts'
import type { Visitor } from './fixtures.ts'
import { done } from './settled.ts'

/** What a device is told when it asks for a code (RFC 8628 §3.2). */
export type Code = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

/** A television, whose app somebody settled registers in an organisation of their own. */
export async function openTelevision({ url }: { url: string }, { call }: Visitor) {
  done(await call(developers.createDeveloper, { name: studio.name }))
  const { client_id } = done(await call(clients.createClient, { name: 'Bonaca', type: 'native' }))
  async function send<T>(path: string, form: Record<string, string>): Promise<T> {
    const body = new URLSearchParams({ client_id, ...form })
    return (await (await fetch(url + path, { method: 'POST', body })).json()) as T
  }
  return {
    client_id,
    begin: () => send<Code>('/device_authorization', { scope: 'openid profile email' }),
    /** How it stands: tokens, or why there are none. */
    ask: ({ device_code }: Code) =>
      send<{ id_token?: string; error?: string }>('/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code,
      }),
  }
}
