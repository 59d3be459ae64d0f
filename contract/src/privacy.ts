import { z } from 'zod'
import * as f from './fields.ts'
import { route } from './route.ts'

/** What an archive can hold, each a file of its own in it. */
export const ARCHIVE_PARTS = ['account', 'security', 'sessions', 'activity', 'connections', 'organizations'] as const
export type ArchivePart = (typeof ARCHIVE_PARTS)[number]

/** `expired`: it was ready, its seven days are over and it is gone. */
export const DATA_REQUEST_STATES = ['queued', 'building', 'ready', 'expired', 'failed'] as const

export const dataRequest = z.object({
  id: f.id,
  state: z.enum(DATA_REQUEST_STATES),
  parts: z.array(z.enum(ARCHIVE_PARTS)),
  created_at: f.time,
  /** Until when it can be fetched; while it is ready. */
  ready_until: f.time.nullable(),
  bytes: z.number().int().nullable(),
})
export type DataRequest = z.output<typeof dataRequest>

export const requestData = route('POST', '/account/data-request', {
  summary: 'Ask for an archive of all that is held about the account; a mail tells when it is ready.',
  needs: 'session',
  status: 201,
  body: z.object({
    /** All of them when not given. */
    parts: z.array(z.enum(ARCHIVE_PARTS)).min(1).max(ARCHIVE_PARTS.length).optional(),
  }),
  data: dataRequest,
  problems: ['data_request_running'],
})

export const listDataRequests = route('GET', '/account/data-request', {
  summary: 'My archives, the newest first.',
  needs: 'session',
  data: z.array(dataRequest),
})

export const downloadData = route('GET', '/account/data-request/:id/download', {
  summary: 'The archive, for whoever it is about, for seven days.',
  needs: 'session',
  fresh: true,
  params: z.object({ id: f.id }),
  file: 'application/zip',
  data: z.unknown(),
  problems: ['not_found'],
})

const organisation = z.object({ developer_id: f.id, name: z.string() })

export const previewDeletion = route('GET', '/account/deletion', {
  summary: 'What deleting the account would take along, what would stay, and what stands in the way.',
  needs: 'session',
  data: z.object({
    /** When it would be gone, if it were asked for now. */
    due_at: f.time,
    sessions: z.number().int(),
    connections: z.number().int(),
    /** Organisations of which nobody else is a member: they and their apps go, too. */
    organisations_deleted: z.array(organisation),
    /** Organisations that lose a member and stay. */
    organisations_left: z.array(organisation),
    /** Organisations that have no other owner: somebody else must become one first. */
    organisations_without_owner: z.array(organisation),
  }),
})

export const deleteAccount = route('DELETE', '/account', {
  summary:
    'Delete the account in 14 days. Signs out everywhere and ends all grants now; signing in before then undoes it.',
  needs: 'session',
  // The password is its own proof; without one the sign-in must be fresh, so the rule asks, not the fence.
  body: z.object({ password: f.password.optional() }),
  data: z.object({ due_at: f.time }),
  problems: ['invalid_password', 'reauthentication_required', 'last_owner'],
})
