import { type audit, type branding, type InputOf, LOCALES, problem } from '@vrata/contract'
import { toJson } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { defined } from '../../lib/defined.ts'
import { type AuditActor, type NewAuditEvent, recordAudit } from '../audit/public.ts'
import { BRANDING_CHANNEL } from './current-branding.ts'
import { type BrandingRow, findBranding, selectBrandingForUpdate, updateBrandingRow } from './store.ts'
import { DELIVERED, toBranding } from './to-branding.ts'

/** Returns the branding (operators §6). */
export async function getBranding(deps: Pick<AppDeps, 'db'>): Promise<branding.Branding> {
  return toBranding(await findBranding(deps.db))
}

/** The part of the branding that pages show, from memory. */
export async function getPublicBranding(deps: Pick<AppDeps, 'branding'>): Promise<branding.PublicBranding> {
  return deps.branding.public()
}

/** Changes what the input names. */
export async function updateBranding(
  deps: TransactionDeps,
  actor: OperatorActor,
  input: InputOf<typeof branding.updateBranding>,
): Promise<branding.Branding> {
  return await changeBranding(deps, actor, await selectBrandingForUpdate(deps.db, DELIVERED), columnsOf(input))
}

/** The columns that hold what the input names. */
export function columnsOf({
  mail_footer,
  sign_in_text,
  languages,
  ...columns
}: InputOf<typeof branding.updateBranding>): Partial<BrandingRow> {
  return {
    ...defined(columns),
    ...(mail_footer ? { mail_footer: toJson(written(mail_footer)) } : {}),
    ...(sign_in_text ? { sign_in_text: toJson(written(sign_in_text)) } : {}),
    // In the order of the menus, each once.
    ...(languages ? { languages: toJson(LOCALES.filter((one) => languages.includes(one))) } : {}),
  }
}

/** Changes columns of the locked row and records it. Throws when the default language would not be offered. */
export async function changeBranding(
  deps: TransactionDeps,
  actor: AuditActor,
  row: BrandingRow,
  columns: Partial<BrandingRow>,
): Promise<branding.Branding> {
  const plan = planBranding(row, columns)
  const event = await writeBranding(deps, plan)
  if (event) await recordAudit(deps, actor, event)
  return plan.after
}

/** The branding with changed columns. */
export interface BrandingPlan {
  version: number
  columns: Partial<BrandingRow>
  before: branding.Branding
  after: branding.Branding
  changes: audit.AuditChanges
}

/** Throws when the default language would not be offered. `at` is the path of the branding in the input. */
export function planBranding(
  row: Omit<BrandingRow, 'id'> | undefined,
  columns: Partial<BrandingRow>,
  at = '',
): BrandingPlan {
  const { version } = row ?? DELIVERED
  const [before, after] = [toBranding(row), toBranding({ ...(row ?? DELIVERED), ...columns })]
  if (!after.languages.includes(after.default_language))
    throw problem('invalid_request', { fields: { [`${at}default_language`]: 'invalid' } })
  return { version, columns, before, after, changes: changesOf(before, after) }
}

/** Writes a planned change of the locked row. Returns the event that the caller records; undefined without a change. */
export async function writeBranding(
  deps: TransactionDeps,
  { version, columns, changes }: BrandingPlan,
): Promise<NewAuditEvent | undefined> {
  if (Object.keys(changes).length === 0) return undefined
  await updateBrandingRow(deps.db, { ...columns, version: version + 1 })
  await deps.signals.announce(BRANDING_CHANNEL, String(version + 1))
  await deps.emit('branding_changed', {})
  // The next page from this server has it already.
  deps.after(() => deps.branding.refresh())
  return { type: 'branding.changed', subject: { kind: 'branding', id: 'installation' }, changes }
}

type Texts = Partial<Record<string, string>>

/** Without languages that have no text. */
function written(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text))
}

/** Values before and after, by field, and by language for texts. */
function changesOf(before: branding.Branding, after: branding.Branding): audit.AuditChanges {
  const [old, next] = [flat(before), flat(after)]
  return Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(next)])]
      .filter((field) => (old[field] ?? null) !== (next[field] ?? null))
      .map((field) => [field, [old[field] ?? null, next[field] ?? null]]),
  )
}

function flat({ accent_colors: _, mail_footer, sign_in_text, languages, ...rest }: branding.Branding) {
  const texts = Object.entries({ mail_footer, sign_in_text }).flatMap(([field, by]) =>
    Object.entries(by).map(([locale, text]) => [`${field}.${locale}`, text] as const),
  )
  return { ...rest, languages: languages.join(' '), ...Object.fromEntries(texts) } as Record<string, string | null>
}
