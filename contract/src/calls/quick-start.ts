import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { SIGNING_ALGORITHMS } from './clients.ts'

/** A sample program for one platform that signs a user in, filled with the settings of a client. */
const quickStart = z.object({
  key: z.string(),
  title: z.string(),
  /** Redirect URI of the program and whether it is registered; null for programs without one. */
  redirect_uri: z.object({ value: z.string(), registered: z.boolean() }).nullable(),
  /** Origin of the page that calls the token endpoint. */
  origin: z.object({ value: z.string(), registered: z.boolean() }).nullable(),
  /** Terminal commands. They contain a placeholder instead of the client secret. */
  install: z.string().nullable(),
  run: z.string(),
  /** Address to open once the program runs. */
  open: z.string().nullable(),
  /** Signature algorithms of ID tokens that the program accepts; empty when it does not read ID tokens. */
  id_token_algorithms: z.array(z.enum(SIGNING_ALGORITHMS)),
  files: z.array(z.object({ name: z.string(), language: z.string(), code: z.string() })),
})
export type QuickStart = z.output<typeof quickStart>

export const listQuickStarts = route('GET', '/client/:id/quick-start', {
  summary: 'List sample programs for the type of the app, with its client id and the addresses of this server.',
  needs: 'member',
  params: z.object({ id: f.id }),
  data: z.array(quickStart),
  problems: ['not_found'],
})
