// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { SearchField } from './search-field.tsx'

afterEach(cleanup)

test('searches for words that were copied from two cells of a table, between which is a tab', () => {
  const search = vi.fn<(text: string) => void>()
  render(<SearchField label="Search people" onSearch={search} />)
  const field = screen.getByLabelText('Search people')
  fireEvent.input(field, { target: { value: ' Ana\tKovač ' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(search).toHaveBeenCalledWith('Ana Kovač')
})
