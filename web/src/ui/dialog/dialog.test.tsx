// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Button } from '../button.tsx'
import { words } from '../gallery/words.ts'
import { WordsProvider } from '../words.tsx'
import { dialogAfterWait } from './dialog-after-wait.ts'
import { DialogFrame } from './dialog-frame.tsx'
import { DialogHost } from './dialog-host.tsx'
import { closeDialogs, type DialogOptions, dialogs, showDialog } from './show-dialog.ts'

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
  await waitFor(() => expect(dialogs.open()).toHaveLength(0))
  cleanup()
})

const register: DialogOptions = {
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

test('focuses the first editable field at once (product §9.2)', async () => {
  await import('./dialog.tsx')
  const answer = showDialog(register)
  const name = await screen.findByLabelText('Name')
  await waitFor(() => expect(document.activeElement).toBe(name))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await answer
})

test('cancels on Escape and returns focus (product §2.6)', async () => {
  const answer = showDialog(register)
  fireEvent.keyDown(await screen.findByLabelText('Name'), { key: 'Escape' })
  expect(await answer).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Register'))
})

test('focuses the nearest heading when the element that opened it is removed', async () => {
  const main = document.body.appendChild(document.createElement('main'))
  main.innerHTML = '<h1>App</h1><section><h2>Redirect URIs</h2><ul><li><button>Remove</button></li></ul></section>'
  main.querySelector('button')?.focus()
  const answer = showDialog({ title: 'Remove it?', buttons: [{ label: 'Cancel' }, { label: 'Remove' }] })
  const dialog = within(await screen.findByRole('dialog'))
  main.querySelector('ul')?.remove()
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  await answer
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Redirect URIs'))
  main.remove()
})

test('focuses what opened the first dialog after one that its submission has opened', async () => {
  const main = document.body.appendChild(document.createElement('main'))
  main.innerHTML = '<h1>System</h1><button>Create</button>'
  main.querySelector('button')?.focus()
  const done: DialogOptions = { title: 'Token', buttons: [{ label: 'Done' }] }
  let next: ReturnType<typeof showDialog> | undefined
  const answer = showDialog({
    ...register,
    onSubmit: async () => {
      next = showDialog(done)
      return undefined
    },
  })
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  screen.getByRole('button', { name: 'Save' }).focus()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await answer
  const close = await screen.findByRole('button', { name: 'Done' })
  await waitFor(() => expect(document.activeElement).toBe(close))
  fireEvent.click(close)
  await next
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Create'))
  main.remove()
})

test('presses the last button on Ctrl+Enter in a multiline field (product §2.6)', async () => {
  const answer = showDialog(register)
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  const description = screen.getByLabelText('Description')
  expect(fireEvent.keyDown(description, { key: 'Enter' })).toBe(true)
  fireEvent.keyDown(description, { key: 'Enter', ctrlKey: true })
  const values = { owner: 'Kraški studio', name: 'Jadrolet', description: '', home: '' }
  expect(await answer).toEqual({ button: 'ok', values })
})

test('focuses the last button of a dialog without fields (product §2.6)', async () => {
  const answer = showDialog({
    title: 'Sign out everywhere else?',
    buttons: [{ label: 'Cancel' }, { id: 'out', label: 'Sign out' }],
  })
  const last = await screen.findByRole('button', { name: 'Sign out' })
  await waitFor(() => expect(document.activeElement).toBe(last))
  fireEvent.click(last)
  expect(await answer).toEqual({ button: 'out', values: {} })
})

test('does not validate the fields for other buttons', async () => {
  const answer = showDialog(register)
  fireEvent.click(await screen.findByRole('button', { name: 'Keep a draft' }))
  expect((await answer)?.button).toBe('draft')
})

test('shows errors of the server in the open dialog', async () => {
  const answer = showDialog({
    ...register,
    onSubmit: async () => ({ fields: { name: 'You have an app of this name.' } }),
  })
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('You have an app of this name.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await answer).toBeNull()
})

test('requires the exact name for a destructive action', async () => {
  const name = 'Jadro.let (beta)'
  const answer = showDialog({
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

test('takes the exact name as it is read: any space for several ones or another kind of them', async () => {
  const answer = showDialog({
    title: 'Delete the app?',
    fields: [{ kind: 'text', name: 'name', label: 'Name', exactly: 'Jadrolet  Plus\u00a02', required: true }],
    buttons: [{ label: 'Cancel' }, { label: 'Delete app' }],
  })
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet Plus 2' } })
  fireEvent.click(screen.getByRole('button', { name: 'Delete app' }))
  expect((await answer)?.values).toEqual({ name: 'Jadrolet Plus 2' })
})

test('nests a dialog opened on submit and keeps the values of the first dialog', async () => {
  const prove: DialogOptions = { title: 'Is it you?', buttons: [{ label: 'No' }, { label: 'It is me' }] }
  const answer = showDialog({
    ...register,
    onSubmit: async () => ((await showDialog(prove)) ? undefined : { message: 'Not you.' }),
  })
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

test('opens the next dialog after the previous one has closed', async () => {
  const first = showDialog({ title: 'First?', buttons: [{ label: 'Yes' }] })
  fireEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await first
  const second = showDialog({ title: 'Second?', buttons: [{ label: 'Go on' }] })
  const button = await screen.findByRole('button', { name: 'Go on' })
  await waitFor(() => expect(document.activeElement).toBe(button))
  fireEvent.click(button)
  expect((await second)?.button).toBe('ok')
})

test('cancels dialogs when the page is left', async () => {
  const answer = showDialog(register)
  await screen.findByLabelText('Name')
  closeDialogs()
  expect(await answer).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a dialog that waits for an answer does not appear on the page that was opened meanwhile', async () => {
  const ask = dialogAfterWait()
  history.pushState(null, '', '/devices')
  expect(await ask(register)).toBeNull()
  expect(dialogs.open()).toHaveLength(0)
})

test('two clicks on a button whose dialog waits for an answer open one dialog', async () => {
  const [first, second] = [dialogAfterWait(), dialogAfterWait()]
  expect(await first(register)).toBeNull()
  const answer = second(register)
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await answer).toBeNull()
})

test('shows and submits a field only while the select that it belongs to has its value', async () => {
  const answer = showDialog({
    title: 'Registration',
    fields: [
      {
        kind: 'select',
        name: 'registration',
        label: 'Who may register',
        value: 'open',
        options: [
          { value: 'open', label: 'Everybody' },
          { value: 'domains', label: 'Addresses of these domains' },
        ],
      },
      { kind: 'multiline', name: 'domains', label: 'Domains', shownFor: { select: 'registration', value: 'domains' } },
    ],
    buttons: [{ label: 'Cancel' }, { label: 'Save' }],
    onSubmit: async ({ domains }) => (domains === undefined ? { message: 'no domains' } : undefined),
  })
  const registration = await screen.findByLabelText('Who may register')
  expect(screen.queryByLabelText('Domains')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('no domains')
  fireEvent.change(registration, { target: { value: 'domains' } })
  fireEvent.change(screen.getByLabelText('Domains'), { target: { value: 'a.example' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await answer)?.values).toEqual({ registration: 'domains', domains: 'a.example' })
})

test('stays open while it sends, so that the error of the answer is read', async () => {
  const { promise, resolve } = Promise.withResolvers<{ message: string }>()
  const answer = showDialog({ ...register, onSubmit: () => promise })
  const name = await screen.findByLabelText('Name')
  fireEvent.input(name, { target: { value: 'Jadrolet' } })
  const save = screen.getByRole('button', { name: 'Save' })
  fireEvent.click(save)
  await waitFor(() => expect(save.getAttribute('aria-busy')).toBe('true'))
  fireEvent.keyDown(name, { key: 'Escape' })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(dialogs.open()).toMatchObject([{ closed: false }])
  resolve({ message: 'The name is taken.' })
  await screen.findByText('The name is taken.')
  fireEvent.keyDown(name, { key: 'Escape' })
  expect(await answer).toBeNull()
})

test('a dialog that its submission has opened can be closed', async () => {
  let nested: ReturnType<typeof showDialog> | undefined
  const answer = showDialog({
    ...register,
    onSubmit: async () => {
      nested = showDialog({ title: 'Is it you?', buttons: [{ label: 'Not now' }, { label: 'It is me' }] })
      return (await nested) ? undefined : { message: 'Not saved.' }
    },
  })
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value: 'Jadrolet' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Not now' }))
  expect(await nested).toBeNull()
  await screen.findByText('Not saved.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await answer).toBeNull()
})

test('a sheet stays open while it sends', async () => {
  const onClose = vi.fn()
  const sheet = (busy: boolean) => (
    <WordsProvider words={words}>
      <DialogFrame title="Picture" open onClose={onClose}>
        <Button onClick={onClose}>Keep the old one</Button>
        <Button busy={busy}>Upload</Button>
      </DialogFrame>
    </WordsProvider>
  )
  const { rerender, unmount } = render(sheet(true))
  const cancel = await screen.findByRole('button', { name: 'Keep the old one' })
  fireEvent.click(cancel)
  fireEvent.keyDown(cancel, { key: 'Escape' })
  expect(onClose).not.toHaveBeenCalled()
  rerender(sheet(false))
  fireEvent.click(cancel)
  fireEvent.keyDown(cancel, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledTimes(2)
  unmount()
})
