import { clients, developers } from '@vrata/contract'
import { LOCALES } from '@vrata/contract/locales'
import { describe, expect, test } from 'vitest'
import { CATALOGUES } from './translate.ts'

// Each has a sentence of its own in the activity.
const { enabled: _, scopes: __, ...texts } = clients.updateClientInfo.body.shape

/** Every field whose change the activity of an organisation writes down, as the page looks up its name. */
const RECORDED = [
  ...Object.keys(developers.updateDeveloper.body.shape),
  ...Object.keys({ ...texts, ...clients.advanced.shape }).map((field) => `app_field.${field}`),
]

describe.each(LOCALES)('§5 the activity in %s', (locale) => {
  test.each(RECORDED)('calls "%s" by a name', (key) => {
    expect(CATALOGUES[locale].organization).toHaveProperty([key], expect.stringMatching(/^\p{Lu}/u))
  })
})
