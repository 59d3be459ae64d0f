import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'

const params = z.object({ id: f.id })

const redirectUris = z.array(z.string())

export const listRedirectUris = route('GET', '/client/:id/redirect-uris', {
  summary: 'List redirect URIs, oldest first.',
  needs: 'member',
  params,
  data: redirectUris,
  problems: ['not_found'],
})

export const addRedirectUri = route('POST', '/client/:id/redirect-uris', {
  summary:
    'Add a redirect URI. Returns the new list. For an app without a client secret this requires a fresh sign-in.',
  needs: 'developer',
  params,
  body: z.object({ redirect_uri: f.redirectUri }),
  data: redirectUris,
  problems: ['not_found', 'redirect_uri_taken', 'too_many_uris', 'fixed_by_profile', 'reauthentication_required'],
})

export const removeRedirectUri = route('DELETE', '/client/:id/redirect-uris', {
  summary: 'Remove a redirect URI. Returns the new list.',
  needs: 'developer',
  params,
  query: z.object({ redirect_uri: f.exactly(LIMITS.url_max) }),
  data: redirectUris,
  problems: ['not_found'],
})

const origins = z.array(z.string())

export const listOrigins = route('GET', '/client/:id/origins', {
  summary: 'List origins, oldest first.',
  needs: 'member',
  params,
  data: origins,
  problems: ['not_found'],
})

export const addOrigin = route('POST', '/client/:id/origins', {
  summary: 'Add an origin: scheme, host and port. Returns the new list.',
  needs: 'developer',
  params,
  body: z.object({ origin: f.origin }),
  data: origins,
  problems: ['not_found', 'origin_taken', 'too_many_uris'],
})

export const removeOrigin = route('DELETE', '/client/:id/origins', {
  summary: 'Remove an origin. Returns the new list.',
  needs: 'developer',
  params,
  query: z.object({ origin: f.exactly(LIMITS.url_max) }),
  data: origins,
  problems: ['not_found'],
})
