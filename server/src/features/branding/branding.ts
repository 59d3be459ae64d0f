import { type audit, type branding, type InputOf, LOCALES, problem } from '@vrata/contract'
import { toJson } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { BRANDING_CHANNEL } from './current-branding.ts'
import { type BrandingRow, findBranding, selectBrandingForUpdate, updateBrandingRow } from './store.ts'
import { DELIVERED, toBranding } from './to-branding.ts'

/** Returns the branding (operators §6). */
export async function getBranding(deps: Pick<AppDeps, 'db'>): Promise<branding.Branding> {
  return toBranding(await findBranding(deps.db))
}

/** What pages show of it, from memory. */
export async function getPublicBranding(deps: Pick<AppDeps, 'branding'>): Promise<branding.PublicBranding> {
  return deps.branding.public()
}

/** Changes what the input names. */
export async function updateBranding(
  deps: TransactionDeps,
  actor: OperatorActor,
  input: InputOf<typeof branding.updateBranding>,
): Promise<branding.Branding> {
  const row = await selectBrandingForUpdate(deps.db, DELIVERED)
  const { mail_footer, sign_in_text, languages, ...columns } = input
  return await changeBranding(deps, actor, row, {
    ...columns,
    ...(mail_footer ? { mail_footer: toJson(written(mail_footer)) } : {}),
    ...(sign_in_text ? { sign_in_text: toJson(written(sign_in_text)) } : {}),
    // In the order of the menus, each once.
    ...(languages ? { languages: toJson(LOCALES.filter((one) => languages.includes(one))) } : {}),
  })
}

/** Changes columns of the locked row and records it. Throws when the default language would not be offered. */
export async function changeBranding(
  deps: TransactionDeps,
  actor: AuditActor,
  row: BrandingRow,
  columns: Partial<BrandingRow>,
): Promise<branding.Branding> {
  const before = toBranding(row)
  const after = toBranding({ ...row, ...columns })
  if (!after.languages.includes(after.default_language))
    throw problem('invalid_request', { fields: { default_language: 'invalid' } })
  const changes = changesOf(before, after)
  if (Object.keys(changes).length === 0) return before
  await updateBrandingRow(deps.db, { ...columns, version: row.version + 1 })
  await deps.signals.announce(BRANDING_CHANNEL, String(row.version + 1))
  await deps.emit('branding_changed', {})
  await recordAudit(deps, actor, {
    type: 'branding.changed',
    subject: { kind: 'branding', id: 'installation' },
    changes,
  })
  // The next page from this server has it already.
  deps.after(() => deps.branding.refresh())
  return after
}

type Texts = Partial<Record<string, string>>

/** Without languages that have no text. */
function written(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text))
}

/** By field, and by language for texts: the values before and after. */
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
