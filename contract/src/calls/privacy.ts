import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'

/** Parts of an archive; each is one file. */
export const ARCHIVE_PARTS = ['account', 'security', 'sessions', 'activity', 'connections', 'organizations'] as const
export type ArchivePart = (typeof ARCHIVE_PARTS)[number]

/** `expired`: the file was deleted after seven days. */
export const DATA_REQUEST_STATES = ['queued', 'building', 'ready', 'expired', 'failed'] as const

export const dataRequest = z.object({
  id: f.id,
  state: z.enum(DATA_REQUEST_STATES),
  parts: z.array(z.enum(ARCHIVE_PARTS)),
  created_at: f.time,
  /** When the file expires; null unless the state is `ready`. */
  ready_until: f.time.nullable(),
  bytes: z.number().int().nullable(),
})
export type DataRequest = z.output<typeof dataRequest>

export const requestData = route('POST', '/account/data-request', {
  summary: 'Request an archive of all data of the account; a mail is sent when it is ready.',
  needs: 'session',
  status: 201,
  body: z.object({
    /** Default: all parts. */
    parts: z.array(z.enum(ARCHIVE_PARTS)).min(1).max(ARCHIVE_PARTS.length).optional(),
  }),
  data: dataRequest,
  problems: ['data_request_running'],
})

export const listDataRequests = route('GET', '/account/data-request', {
  summary: 'List the archives of the user, the newest first.',
  needs: 'session',
  data: z.array(dataRequest),
})

export const downloadData = route('GET', '/account/data-request/:id/download', {
  summary: 'Download an archive of the user; available for seven days.',
  needs: 'session',
  fresh: true,
  params: z.object({ id: f.id }),
  file: 'application/zip',
  data: z.unknown(),
  problems: ['not_found'],
})

const organization = z.object({ developer_id: f.id, name: z.string() })

export const previewDeletion = route('GET', '/account/deletion', {
  summary: 'Return what deleting the account would delete and keep, and what prevents it.',
  needs: 'session',
  data: z.object({
    /** When the account would be deleted if requested now. */
    due_at: f.time,
    sessions: z.number().int(),
    connections: z.number().int(),
    /** Developer accounts without another member: they are deleted with their apps. */
    organizations_deleted: z.array(organization),
    /** Developer accounts that lose this member and remain. */
    organizations_left: z.array(organization),
    /** Developer accounts without another owner: another member must become owner first. */
    organizations_without_owner: z.array(organization),
  }),
})

export const deleteAccount = route('DELETE', '/account', {
  summary:
    'Schedule the deletion of the account in 14 days. Ends all sessions and grants now; a sign-in before then cancels it.',
  needs: 'session',
  // The rule checks for a fresh sign-in, because a password in the body replaces it (api §2.7).
  body: z.object({ password: f.password.optional() }),
  data: z.object({ due_at: f.time }),
  problems: ['invalid_password', 'reauthentication_required', 'last_owner', 'last_operator'],
})
