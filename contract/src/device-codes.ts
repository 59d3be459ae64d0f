import { z } from 'zod'
import * as f from './fields.ts'
import { route } from './route.ts'

export const openDeviceCode = route('POST', '/device', {
  summary:
    'The code that a device shows: what waits behind it, for the consent screen. From now on it is this account that answers.',
  needs: 'session',
  body: z.object({ user_code: z.string().min(1).max(40) }),
  data: z.object({
    uid: f.id.meta({ description: 'for `GET` and `PUT /connection/{client}/scopes`' }),
    client_id: f.id,
    scope: z.string(),
  }),
  // A code that never was, and one that has ended, was answered or is somebody else's by now.
  problems: ['not_found', 'expired_code', 'client_disabled'],
})
