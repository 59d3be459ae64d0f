// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createI18n, I18nProvider } from '../i18n.tsx'
import { MoreButton } from './more-button.tsx'

test('says that the next page could not be loaded, and loads it again', async () => {
  const i18n = createI18n('en-US')
  await i18n.load(['menu'])
  const fetchNextPage = vi.fn()
  const list = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, fetchNextPage }
  const shown = (changed: Partial<typeof list>) => (
    <I18nProvider i18n={i18n}>
      <MoreButton list={{ ...list, ...changed }} />
    </I18nProvider>
  )
  const { rerender } = render(shown({}))
  expect(screen.queryByRole('alert')).toBeNull()
  rerender(shown({ isFetchNextPageError: true }))
  expect(screen.getByRole('alert').textContent).toBe('The rest could not be loaded. Try again.')
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(fetchNextPage).toHaveBeenCalledOnce()
  rerender(shown({ hasNextPage: false }))
  expect(screen.queryByRole('button')).toBeNull()
})
