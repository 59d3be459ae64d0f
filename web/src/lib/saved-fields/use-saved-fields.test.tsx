// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { Answer } from '@vrata/contract'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { toasts } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/form/field.tsx'
import { words } from '../../ui/gallery/words.ts'
import { WordsProvider } from '../../ui/words.tsx'
import { createI18n, I18nProvider } from '../i18n.tsx'
import { SaveStatesProvider } from './save-states.tsx'
import { useSavedFields } from './use-saved-fields.tsx'

type Save = (name: 'name' | 'website', value: string | null) => Promise<Answer<unknown>>

const i18n = createI18n('en-US')
const saved: Answer<unknown> = { ok: true, data: null, next_cursor: null, http: 200 }
beforeAll(() => i18n.load(['ui', 'problems', 'save-state']))
afterEach(cleanup)

function Fields({ name, save }: { name: string; save: Save }) {
  const { form, field } = useSavedFields({ values: { name, website: null }, save })
  return (
    <form {...form}>
      <TextField {...field('name')} label="Name" />
      <TextField {...field('website')} label="Website" />
    </form>
  )
}

function show(save: Save) {
  const page = (name: string) => (
    <I18nProvider i18n={i18n}>
      <WordsProvider words={words}>
        <SaveStatesProvider>
          <Fields name={name} save={save} />
        </SaveStatesProvider>
      </WordsProvider>
    </I18nProvider>
  )
  const { rerender, unmount: leave } = render(page('Jadrolet'))
  const input = screen.getByLabelText<HTMLInputElement>('Name')
  const visit = () => {
    fireEvent.focus(input)
    fireEvent.blur(input)
  }
  const type = (value: string) => fireEvent.input(input, { target: { value } })
  return { input, visit, type, leave, change: (name: string) => rerender(page(name)) }
}

test('a field shows what another member has saved, and a visit does not save the former text over it', () => {
  const save = vi.fn<Save>(async () => saved)
  const { input, visit, change } = show(save)
  change('Jadrolet Plus')
  expect(input.value).toBe('Jadrolet Plus')
  visit()
  expect(save).not.toHaveBeenCalled()
})

test('a text that is being entered stays, and is saved once', async () => {
  const save = vi.fn<Save>(async () => saved)
  const { input, visit, type, change } = show(save)
  type('Jadrolet 2')
  change('Jadrolet Plus')
  expect(input.value).toBe('Jadrolet 2')
  visit()
  await screen.findByText('Saved', { selector: '[aria-hidden] *, [aria-hidden]' })
  visit()
  expect(save.mock.calls).toEqual([['name', 'Jadrolet 2']])
})

test('a text stays while it is sent, and when it is rejected, and is sent again', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer<unknown>>()
  const save = vi.fn<Save>(() => promise)
  const { input, visit, type, change } = show(save)
  type('Jadrolet 2')
  visit()
  await waitFor(() => expect(save).toHaveBeenCalledOnce())
  change('Jadrolet Plus')
  expect(input.value).toBe('Jadrolet 2')
  resolve({ ok: false, problem: { code: 'unavailable', message: 'No answer' }, http: 0 })
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  expect(input.value).toBe('Jadrolet 2')
  visit()
  expect(save).toHaveBeenCalledTimes(2)
})

test('a text that is rejected after the page was left is reported', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer<unknown>>()
  const { visit, type, leave } = show(() => promise)
  type('Jadrolet 2')
  visit()
  leave()
  resolve({ ok: false, problem: { code: 'unavailable', message: 'No answer' }, http: 0 })
  await waitFor(() => expect(toasts.current()).toMatchObject([{ text: expect.stringContaining('was not saved') }]))
})
