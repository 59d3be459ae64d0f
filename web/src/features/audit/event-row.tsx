import { type AuditEvent, FIELDS_WITH_PEOPLE } from '@vrata/contract/audit'
import { formatTime, parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Time } from '../../ui/content/time.tsx'
import { Row } from '../../ui/layout/row.tsx'

/** Kinds of subjects whose name is missing once the account is deleted. */
const PEOPLE = ['user', 'operator', 'member']
/** Kinds of subjects that are named by their id where they have no name of today. */
const NAMED_BY_ID = ['group', 'client', 'organization']

/** Meaning of an empty setting, where it is not nothing. */
const EMPTY = {
  activity_days: 'policy.forever',
  audit_days: 'policy.audit_days.forever',
  'limits.clients': 'audit.installation_limit',
  'limits.members': 'audit.installation_limit',
} as const

/** An event: action, subject, changes, actor and origin. */
export function EventRow({ event }: { event: AuditEvent }) {
  const { t, format } = useI18n()
  const { type, at, actor, organization, ip } = event
  const who =
    actor.name ?? (actor.kind === 'client' ? actor.id : t(actor.kind === 'system' ? 'audit.system' : 'audit.gone'))
  const changed = useChanges({ changes: withoutName(event), names: event.names })
  const subject = useSubject(event)
  const where = organization?.name !== event.subject.name ? organization?.name : undefined
  const by = actor.id !== undefined && actor.id === event.subject.id ? undefined : t('audit.by', { name: who ?? '' })
  return (
    <Row
      label={t(`audit.${type}`)}
      text={[subject, where, ...changed, by, ip && t('audit.from', { ip })].filter(Boolean).join(' · ')}
      value={<Time at={at} {...formatTime(at, format)} />}
      long
    />
  )
}

/** The name that something has got is that of the subject. */
function withoutName({ subject, changes = {} }: AuditEvent): NonNullable<AuditEvent['changes']> {
  const { name, ...others } = changes
  return name && name[0] === null && name[1] === subject.name ? others : changes
}

function useSubject({ subject: { kind, id, name } }: AuditEvent): string | undefined {
  const { t } = useI18n()
  if (name !== undefined) return name
  if (kind === 'login') return t('audit.login')
  if (kind === 'network') return t('audit.network', { network: id })
  if (PEOPLE.includes(kind)) return t('audit.gone')
  return NAMED_BY_ID.includes(kind) ? id : undefined
}

function useChanges({ changes = {}, names = {} }: Pick<AuditEvent, 'changes' | 'names'>): string[] {
  const { t, find, format } = useI18n()
  const nameOf = (field: string) =>
    find(`audit.field.${field}`) ?? find(`policy.${field}`) ?? find(`organization.app_field.${field}`) ?? field
  const shown = (field: string, value: string | number | boolean | null) => {
    if (value === null || value === '') return t(EMPTY[field as keyof typeof EMPTY] ?? 'audit.nothing')
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
    if (FIELDS_WITH_PEOPLE.includes(field))
      return String(value)
        .split(' ')
        .map((id) => names[id] ?? id)
        .join(', ')
    if (field === 'fields') return String(value).split(', ').map(nameOf).join(', ')
    if (field === 'level') return find(`menu.level.${value}`) ?? String(value)
    if (field === 'role') return find(`operators.role.${value}`) ?? String(value)
    if (field.endsWith('_at')) return format.dateTime(parseServerTime(String(value)))
    // Decided by the field alone, because a group or an app may be named like a role or a setting.
    return find(`audit.value.${field}.${value}`) ?? find(`policy.${field}.${value}`) ?? String(value)
  }
  return Object.entries(changes).map(([field, [before, after]]) => {
    const name = nameOf(field)
    if (before === null) return t('audit.value', { field: name, value: shown(field, after) })
    return t('audit.change', { field: name, before: shown(field, before), after: shown(field, after) })
  })
}
