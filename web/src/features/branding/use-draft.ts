import type { Branding, BrandingSettings } from '@vrata/contract/branding'
import { LOCALES, type Locale } from '@vrata/contract/locales'
import { useState } from 'react'

const TEXTS = ['mail_footer', 'sign_in_text'] as const
export type TextField = (typeof TEXTS)[number]
export type Change = <F extends keyof BrandingSettings>(field: F, value: BrandingSettings[F]) => void

/**
 * What is saved, with what has been changed on the page and is not saved. Fields that nobody has touched follow changes that
 * others make.
 */
export function useDraft(saved: Branding) {
  const [edits, setEdits] = useState<Partial<BrandingSettings>>({})
  const next = withOtherTexts(saved, edits)
  const changes = changesOf(saved, next)
  const change: Change = (field, value) => setEdits((before) => ({ ...before, [field]: value }))
  return {
    draft: { ...saved, ...next },
    /** The fields of the call that saves. */
    changes,
    dirty: Object.keys(changes).length > 0,
    change,
    /** Forgets the edits of this draft, which are saved. What has been entered since stays. */
    settle: () => setEdits((now) => withoutSaved(now, edits)),
    changeText: (field: TextField, locale: Locale, text: string) =>
      setEdits((before) => ({ ...before, [field]: { ...before[field], [locale]: text } })),
    discard: () => setEdits({}),
  }
}

/** A text of one language is saved with those of the others, which may have changed since. */
function withOtherTexts(saved: Branding, edits: Partial<BrandingSettings>): Partial<BrandingSettings> {
  const texts = TEXTS.flatMap((field) => (edits[field] ? [[field, { ...saved[field], ...edits[field] }] as const] : []))
  return { ...edits, ...Object.fromEntries(texts) }
}

function withoutSaved(edits: Partial<BrandingSettings>, saved: Partial<BrandingSettings>): Partial<BrandingSettings> {
  return Object.fromEntries(Object.entries(edits).filter(([field, value]) => value !== saved[field as 'name']))
}

/** The edits that differ from what is saved, as the server stores them. */
export function changesOf(saved: Branding, edits: Partial<BrandingSettings>): Partial<BrandingSettings> {
  const entries = Object.entries(edits).map(([field, value]) => [field, stored(value)] as const)
  return Object.fromEntries(
    entries.filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(stored(saved[field as 'name']))),
  )
}

/** Without spaces around a text; an empty one is null, and missing in a set of texts. */
function stored(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || null
  if (value === null || Array.isArray(value)) return value
  const texts = value as Partial<Record<Locale, string>>
  return Object.fromEntries(
    LOCALES.flatMap((locale) => (texts[locale]?.trim() ? [[locale, texts[locale].trim()]] : [])),
  )
}
