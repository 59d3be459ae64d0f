import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type FilterOptions, FilterSelect } from './filter-select.tsx'

const filter = (value: string, options: FilterOptions) => (
  <FilterSelect label="Device" all="All devices" value={value} options={options} onChoose={() => {}} />
)
const chosen = () => screen.getByRole<HTMLSelectElement>('combobox').selectedOptions[0]?.text

test('a choice keeps its name while the rows that name it load again, and where there are none', () => {
  const { rerender, unmount } = render(filter('', [['01a2', 'Firefox (Linux)']]))
  rerender(filter('01a2', []))
  expect(chosen()).toBe('Firefox (Linux)')
  unmount()
})

test('a choice of the address that nothing names is shown as it is', () => {
  render(filter('01a3', []))
  expect(chosen()).toBe('01a3')
})
