import { z } from 'zod'
import * as f from './fields.ts'
import { route } from './route.ts'

/** A small program for one platform, filled with the values of an app, that signs somebody in. */
const quickStart = z.object({
  key: z.string(),
  title: z.string(),
  /** What the program is sent back to, and whether that is registered; null for one that nobody is sent to. */
  redirect_uri: z.object({ value: z.string(), registered: z.boolean() }).nullable(),
  /** Of the page whose script asks for tokens. */
  origin: z.object({ value: z.string(), registered: z.boolean() }).nullable(),
  /** Commands of a terminal. The secret is never in them: its place is marked. */
  install: z.string().nullable(),
  run: z.string(),
  /** Address at which one begins once it runs. */
  open: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), language: z.string(), code: z.string() })),
})
export type QuickStart = z.output<typeof quickStart>

export const listQuickStarts = route('GET', '/client/:id/quick-start', {
  summary: 'Ready programs for the kind of app, with its own client id and the addresses of this server.',
  needs: 'member',
  params: z.object({ id: f.id }),
  data: z.array(quickStart),
  problems: ['not_found'],
})
