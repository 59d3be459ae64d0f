import { renderHook } from '@testing-library/react'
import { formats } from '@vrata/phrases/format'
import { describe, expect, test } from 'vitest'
import { createI18n, type I18n, I18nProvider } from '../i18n.tsx'
import { useDayName } from './use-day-name.ts'

/** Names days as a page in Ljubljana does at a moment. */
async function dayNames(now: string, dates: readonly string[]): Promise<string[]> {
  const i18n = createI18n('en-US')
  await i18n.load(['menu'])
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Ljubljana' })
  const format = {
    ...formats('en-US'),
    now: () => Date.parse(now),
    day: (moment: string | number | Date) => local.format(new Date(moment)),
  }
  const speaker = { ...i18n.now(), format }
  const inLjubljana: I18n = { ...i18n, now: () => speaker, first: () => speaker }
  const { result } = renderHook(useDayName, {
    wrapper: ({ children }) => <I18nProvider i18n={inLjubljana}>{children}</I18nProvider>,
  })
  return dates.map(result.current)
}

describe('names of days around a change of the clocks', () => {
  test('the day before is yesterday after a day of 23 hours', async () => {
    expect(await dayNames('2026-03-29T22:30:00Z', ['2026-03-30', '2026-03-29', '2026-03-28'])).toEqual([
      'Today',
      'Yesterday',
      'Saturday, March 28, 2026',
    ])
  })

  test('the day before is yesterday on a day of 25 hours', async () => {
    expect(await dayNames('2026-10-25T22:30:00Z', ['2026-10-25', '2026-10-24'])).toEqual(['Today', 'Yesterday'])
  })
})
