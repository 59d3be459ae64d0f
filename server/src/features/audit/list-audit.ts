import { type AnswerOf, audit, type FileAnswer, type InputOf, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../lib/formats/csv.ts'
import { findUsers } from '../account/public.ts'
import { displayName, findDeveloperCards } from '../developers/public.ts'
import type { ClientCards } from '../extension-points.ts'
import { recordAudit } from './record.ts'
import { type AuditRow, type AuditSelection, listEvents } from './store.ts'

type Filter = Pick<InputOf<typeof audit.listAudit>, 'actor' | 'type' | 'subject' | 'organization' | 'from' | 'to'>

/** The highest position that the column can have. */
const LAST_POSITION = 2 ** 31 - 1

/** Lists what operators, commands and the system have done, newest first (operators §3). */
export async function listAudit(
  deps: Pick<AppDeps, 'db' | 'clientCards'>,
  _: OperatorActor,
  { limit, cursor, ...filter }: InputOf<typeof audit.listAudit>,
): Promise<AnswerOf<typeof audit.listAudit>> {
  const after = cursor === undefined ? undefined : Number(cursor)
  if (after !== undefined && !(Number.isInteger(after) && after >= 0 && after <= LAST_POSITION))
    throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  const rows = await listEvents(deps.db, selectionOf(filter), { order: 'desc', after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { data: await toEvents(deps.db, page, deps.clientCards), next_cursor: last ? String(last.position) : null }
}

/** Events per query of an export. */
const BATCH = 500

/** Streams the selected events, oldest first, and records the export. */
export async function exportAudit(
  app: AppDeps,
  actor: OperatorActor,
  { format, ...filter }: InputOf<typeof audit.exportAudit>,
): Promise<FileAnswer> {
  await app.transaction((deps) =>
    recordAudit(deps, actor, { type: 'audit.exported', subject: { kind: 'audit', id: format } }),
  )
  const day = app.clock.now().toISOString().slice(0, 10)
  return {
    body: format === 'csv' ? csvLines(app.db, filter, app.clientCards) : jsonLines(app.db, filter, app.clientCards),
    name: `audit-${day}.${format}`,
    ...(format === 'ndjson' ? { type: 'application/x-ndjson; charset=utf-8' } : {}),
  }
}

/** The events as JSON lines, oldest first. */
export async function* jsonLines(db: ReadDb, filter: Filter, apps?: ClientCards): AsyncGenerator<Uint8Array> {
  for await (const events of batches(db, filter, apps))
    yield Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}

const COLUMNS = [
  'id',
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'type',
  'subject_kind',
  'subject_id',
  'subject_name',
  'organization_id',
  'organization_name',
  'changes',
  'ip',
  'request_id',
  'hash',
]

/** The events as CSV, oldest first. */
export async function* csvLines(db: ReadDb, filter: Filter, apps?: ClientCards): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK + csvLine(COLUMNS))
  for await (const events of batches(db, filter, apps)) yield Buffer.from(events.map(lineOf).join(''))
}

function lineOf({ id, at, actor, type, subject, organization, changes, ...rest }: audit.AuditEvent): string {
  const { ip = '', request_id = '', hash } = rest
  const who = [actor.kind, actor.id ?? '', actor.name ?? '']
  const where = [organization?.id ?? '', organization?.name ?? '']
  const what = [subject.kind, subject.id, subject.name ?? '', ...where, changes ? JSON.stringify(changes) : '']
  return csvLine([id, at, ...who, type, ...what, ip, request_id, hash])
}

/** The next events after a position, oldest first, and the position of the last one. */
export async function readEvents(
  db: ReadDb,
  after: number,
  limit: number,
): Promise<{ events: audit.AuditEvent[]; last: number | undefined }> {
  const rows = await listEvents(db, {}, { order: 'asc', after, limit })
  return { events: await toEvents(db, rows), last: rows.at(-1)?.position }
}

async function* batches(db: ReadDb, filter: Filter, apps?: ClientCards): AsyncGenerator<audit.AuditEvent[]> {
  let after: number | undefined
  do {
    const rows = await listEvents(db, selectionOf(filter), { order: 'asc', after, limit: BATCH })
    yield await toEvents(db, rows, apps)
    after = rows.length === BATCH ? rows.at(-1)?.position : undefined
  } while (after !== undefined)
}

/** A day as `to` is included. */
function selectionOf({ from, to, ...rest }: Filter): AuditSelection {
  return { ...rest, from: timeOf(from), before: timeOf(to, DAY) }
}

const DAY = 24 * 60 * 60 * 1000

function timeOf(text: string | undefined, afterDay = 0): string | undefined {
  if (text === undefined) return undefined
  const time = new Date(Date.parse(text) + (text.includes('T') ? 0 : afterDay))
  // Years of five digits do not sort as text; every event is before them.
  return time.getUTCFullYear() > 9999 ? undefined : time.toISOString()
}

/** `apps` names apps; commands and the sink do without, because it is of a later feature. */
async function toEvents(db: ReadDb, rows: AuditRow[], apps?: ClientCards): Promise<audit.AuditEvent[]> {
  const read = rows.map((row) => {
    const changes = row.changes === null ? undefined : fromJson<audit.AuditChanges>(row.changes)
    return { row, changes, people: peopleIn(changes) }
  })
  const ids = read.flatMap(({ row, people }) => [
    ...(row.actor_id === null ? [] : [row.actor_id]),
    ...(isAboutUser(row) ? [row.subject_id] : []),
    ...people,
  ])
  const [users, organizations, clients] = await Promise.all([
    findUsers(db, [...new Set(ids)]),
    findDeveloperCards(db, [...new Set(rows.flatMap(organizationsOf))]),
    apps?.find(db, [...new Set(rows.flatMap(clientsOf))]) ?? [],
  ])
  const names = new Map(users.map((user) => [user.id, displayName(user)]))
  for (const [id, { name }] of organizations) names.set(id, name)
  for (const { client_id, name } of clients) names.set(client_id, name)
  return read.map((event) => toEvent(event, names))
}

/** Ids of people in the changes of an event. */
function peopleIn(changes: audit.AuditChanges = {}): string[] {
  const fields = Object.entries(changes).filter(([field]) => audit.FIELDS_WITH_PEOPLE.includes(field))
  return fields.flatMap(([, values]) => values.flatMap((value) => String(value ?? '').split(' ')))
}

/** Whether the subject is a user: an operator or member is the user who has the role or level. */
export function isAboutUser({ subject_kind }: AuditRow): boolean {
  return subject_kind === 'user' || subject_kind === 'operator' || subject_kind === 'member'
}

function organizationsOf({ subject_kind, subject_id, organization_id }: AuditRow): string[] {
  const subject = subject_kind === 'organization' ? [subject_id] : []
  return organization_id === null ? subject : [...subject, organization_id]
}

function clientsOf({ actor_kind, actor_id, subject_kind, subject_id }: AuditRow): string[] {
  const subject = subject_kind === 'client' ? [subject_id] : []
  return actor_kind === 'client' && actor_id !== null ? [...subject, actor_id] : subject
}

function toEvent(
  { row, changes, people }: { row: AuditRow; changes: audit.AuditChanges | undefined; people: string[] },
  names: ReadonlyMap<string, string>,
): audit.AuditEvent {
  const { id, at, hash, actor_id, organization_id, ip, request_id } = row
  const organization_name = organization_id === null ? undefined : names.get(organization_id)
  const actor_name = row.actor_name ?? (actor_id === null ? undefined : names.get(actor_id))
  const subject_name = names.get(row.subject_id)
  const named = people.flatMap((person) => {
    const name = names.get(person)
    return name === undefined ? [] : [[person, name] as const]
  })
  return {
    id,
    at,
    actor: {
      kind: row.actor_kind as audit.AuditActorKind,
      ...(actor_id === null ? {} : { id: actor_id }),
      ...(actor_name === undefined ? {} : { name: actor_name }),
    },
    type: row.type as audit.AuditType,
    subject: {
      kind: row.subject_kind,
      id: row.subject_id,
      ...(subject_name === undefined ? {} : { name: subject_name }),
    },
    ...(organization_id === null
      ? {}
      : {
          organization: {
            id: organization_id,
            ...(organization_name === undefined ? {} : { name: organization_name }),
          },
        }),
    ...(changes && { changes }),
    ...(named.length === 0 ? {} : { names: Object.fromEntries(named) }),
    ...(ip === null ? {} : { ip }),
    ...(request_id === null ? {} : { request_id }),
    hash,
  }
}
