import { clients, developers } from '@vrata/contract'
import { LOCALES } from '@vrata/contract/locales'
import { describe, expect, test } from 'vitest'
import { CATALOGS } from './translate.ts'

// Changes of these two have their own activity types.
const { enabled: _, scopes: __, ...infoFields } = clients.updateClientInfo.body.shape

/** Phrase keys of all fields whose changes appear in the activity of an organization. */
const FIELD_KEYS = [
  ...Object.keys(developers.updateDeveloper.body.shape),
  ...Object.keys({ ...infoFields, ...clients.advanced.shape }).map((field) => `app_field.${field}`),
]

describe.each(LOCALES)('activity of an organization in %s', (locale) => {
  test.each(FIELD_KEYS)('has a name for the field %s', (key) => {
    expect(CATALOGS[locale].organization).toHaveProperty([key], expect.stringMatching(/^\p{Lu}/u))
  })
})
