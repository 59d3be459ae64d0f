// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { words } from '../gallery/words.ts'
import { WordsProvider } from '../words.tsx'
import { DateField } from './date-field.tsx'
import { Form, Submit } from './form.tsx'

afterEach(cleanup)

const INVALID = 'Izberite datum med letom 1900 in danes.'

function show(locale: string, value?: string) {
  const send = vi.fn(async () => undefined)
  render(
    <WordsProvider words={words}>
      <Form onSubmit={send}>
        <DateField
          name="birth_date"
          label="Datum rojstva"
          value={value}
          min="1900-01-01"
          max="2026-11-21"
          invalid={INVALID}
          locale={locale}
        />
        <Submit>Shrani</Submit>
      </Form>
    </WordsProvider>,
  )
  const set = (label: string, text: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Shrani' }))
  return { send, set, press }
}

test.each([
  ['sl-SI', ['dan', 'mesec', 'leto'], 'marec'],
  ['hr-HR', ['dan', 'mjesec', 'godina'], 'ožujak'],
  ['en-US', ['month', 'day', 'year'], 'March'],
])('%s has its own order and month names', (locale, order, march) => {
  show(locale, '1991-03-24')
  expect([...document.querySelectorAll('label')].map((one) => one.textContent)).toEqual(order)
  expect(screen.getByRole<HTMLOptionElement>('option', { name: march }).selected).toBe(true)
})

test('submits three parts as one date', async () => {
  const { send, set, press } = show('sl-SI')
  set('dan', '5')
  set('mesec', '02')
  set('leto', '2000')
  press()
  await waitFor(() => expect(send).toHaveBeenCalledWith({ birth_date: '2000-02-05' }, expect.anything()))
})

test('submits an empty value when all parts are empty', async () => {
  const { send, set, press } = show('sl-SI', '1991-03-24')
  for (const part of ['dan', 'mesec', 'leto']) set(part, '')
  press()
  await waitFor(() => expect(send).toHaveBeenCalledWith({ birth_date: '' }, expect.anything()))
})

test.each([
  ['30', '02', '2000'],
  ['5', '', '2000'],
  ['1', '01', '1899'],
  ['22', '11', '2026'],
  ['5', '02', '20'],
])('rejects %s. %s. %s with a message', async (day, month, year) => {
  const { send, set, press } = show('sl-SI')
  set('dan', day)
  set('mesec', month)
  set('leto', year)
  press()
  await screen.findByText(INVALID)
  expect(send).not.toHaveBeenCalled()
})
