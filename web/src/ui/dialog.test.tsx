// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask, dismissQuestions, type Question, questions } from './ask.ts'
import { DialogHost } from './dialog-host.tsx'
import { words } from './gallery/words.ts'
import { WordsProvider } from './words.tsx'

beforeEach(() => {
  render(
    <WordsProvider words={words}>
      <button type="button">Register</button>
      <DialogHost />
    </WordsProvider>,
  )
  screen.getByRole('button', { name: 'Register' }).focus()
})
afterEach(async () => {
  await waitFor(() => expect(questions.open()).toHaveLength(0))
  cleanup()
})

const register: Question = {
  title: 'Register an app',
  fields: [
    { kind: 'disabled', name: 'owner', label: 'Owner', value: 'Kraški studio' },
    { kind: 'text', name: 'name', label: 'Name', required: true },
    { kind: 'multiline', name: 'description', label: 'Description' },
    { kind: 'datalist', name: 'home', label: 'Home page', options: ['https://jadrolet.example'] },
    { kind: 'description', text: 'Nothing is published yet.' },
  ],
  buttons: [{ label: 'Cancel' }, { id: 'draft', label: 'Keep a draft' }, { label: 'Save' }],
}

test('§9 the first field that can be filled gets the focus within 200 ms', async () => {
  await import('./dialog.tsx')
  const answer = ask(register)
  const name = await screen.findByLabelText('Name', {}, { timeout: 1000 })
  await waitFor(() => expect(document.activeElement).toBe(name), { timeout: 200 })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await answer
})

test('§2 Escape cancels, and the focus returns to what asked', async () => {
  const answer = ask(register)
  fireEvent.keyDown(await screen.findByLabelText('Name'), { key: 'Escape' })
  expect(await answer).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Register'))
})

test('§2 Ctrl+Enter among several lines presses the last button; Enter alone is a new line', async () => {
  const answer = ask(register)
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  const description = screen.getByLabelText('Description')
  expect(fireEvent.keyDown(description, { key: 'Enter' })).toBe(true)
  fireEvent.keyDown(description, { key: 'Enter', ctrlKey: true })
  const values = { owner: 'Kraški studio', name: 'Jadrolet', description: '', home: '' }
  expect(await answer).toEqual({ button: 'ok', values })
})

test('§2 a question without fields has the focus on its last button, where Enter presses it', async () => {
  const answer = ask({
    title: 'Sign out everywhere else?',
    buttons: [{ label: 'Cancel' }, { id: 'out', label: 'Sign out' }],
  })
  const last = await screen.findByRole('button', { name: 'Sign out' })
  await waitFor(() => expect(document.activeElement).toBe(last))
  fireEvent.click(last)
  expect(await answer).toEqual({ button: 'out', values: {} })
})

test('a button between cancel and the deed answers without checking the fields', async () => {
  const answer = ask(register)
  fireEvent.click(await screen.findByRole('button', { name: 'Keep a draft' }))
  expect((await answer)?.button).toBe('draft')
})

test('what the server refuses shows in the open dialog', async () => {
  const answer = ask({ ...register, send: async () => ({ fields: { name: 'You have an app of this name.' } }) })
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('You have an app of this name.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await answer).toBeNull()
})

test('a destructive deed wants the very name typed, signs and all', async () => {
  const name = 'Jadro.let (beta)'
  const answer = ask({
    title: 'Delete the app?',
    danger: true,
    fields: [{ kind: 'text', name: 'name', label: 'Name', exactly: name, required: true, invalid: 'Type the name.' }],
    buttons: [{ label: 'Cancel' }, { label: 'Delete app' }],
  })
  const input = await screen.findByLabelText('Name')
  fireEvent.input(input, { target: { value: 'Jadro-let (beta)' } })
  fireEvent.click(screen.getByRole('button', { name: 'Delete app' }))
  await screen.findByText('Type the name.')
  fireEvent.input(input, { target: { value: name } })
  fireEvent.click(screen.getByRole('button', { name: 'Delete app' }))
  expect((await answer)?.values).toEqual({ name })
})

test('a question asked by a deed lies on top of the first, which stays as it was typed', async () => {
  const prove: Question = { title: 'Is it you?', buttons: [{ label: 'No' }, { label: 'It is me' }] }
  const answer = ask({ ...register, send: async () => ((await ask(prove)) ? undefined : { message: 'Not you.' }) })
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.click(await screen.findByRole('button', { name: 'No' }))
  await screen.findByText('Not you.')
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Jadrolet')
  await waitFor(() => expect(screen.queryByText('Is it you?')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.click(await screen.findByRole('button', { name: 'It is me' }))
  expect((await answer)?.values.name).toBe('Jadrolet')
})

test('a question right after another one comes when the first has left', async () => {
  const first = ask({ title: 'First?', buttons: [{ label: 'Yes' }] })
  fireEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await first
  const second = ask({ title: 'Second?', buttons: [{ label: 'Go on' }] })
  const button = await screen.findByRole('button', { name: 'Go on' })
  await waitFor(() => expect(document.activeElement).toBe(button))
  fireEvent.click(button)
  expect((await second)?.button).toBe('ok')
})

test('leaving the page cancels what it asked', async () => {
  const answer = ask(register)
  await screen.findByLabelText('Name')
  dismissQuestions()
  expect(await answer).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
