// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import type { OpenRequest } from '@vrata/contract/connections'
import { expect, test } from 'vitest'
import { createI18n, I18nProvider } from '../../../lib/i18n.tsx'
import { OpenRequestFacts } from './open-request.tsx'

test('shows the time that is left also where a server of the former version has answered', async () => {
  const i18n = createI18n('en-US')
  await i18n.load(['app-requests'])
  const now = Date.now()
  const request = { binding_message: null, expires_at: new Date(now + 90_500).toISOString() } as OpenRequest
  render(
    <I18nProvider i18n={i18n}>
      <OpenRequestFacts app="Jadrolet" request={request} receivedAt={now} />
    </I18nProvider>,
  )
  expect(screen.getByText(/Time left: 1:(30|[12]\d)/)).toBeDefined()
})
