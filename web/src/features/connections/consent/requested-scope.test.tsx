// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createI18n, I18nProvider } from '../../../lib/i18n.tsx'
import { RequestedScope } from './requested-scope.tsx'

const i18n = createI18n('en-US')
beforeAll(() => i18n.load(['connections']))
afterEach(cleanup)

function show(description: string) {
  const scope = { key: 'notes.read', title: 'Read your notes', description, required: false }
  render(
    <I18nProvider i18n={i18n}>
      <RequestedScope
        scope={{ ...scope, sensitive: true, granted: false }}
        returning={false}
        values={[]}
        on
        onChange={() => {}}
      />
    </I18nProvider>,
  )
}

test('a scope opens to show its description', () => {
  show('Also drafts.')
  expect(screen.getByText('Read your notes').closest('details')?.textContent).toContain('Also drafts.')
})

test('a scope without a description in this language has nothing to open', () => {
  show('')
  expect(screen.getByText('Read your notes').closest('details')).toBeNull()
})
