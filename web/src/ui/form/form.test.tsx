// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { words } from '../gallery/words.ts'
import { WordsProvider } from '../words.tsx'
import { TextField } from './field.tsx'
import { Form, Submit, type SubmitErrors } from './form.tsx'
import { PasswordField } from './password/password-field.tsx'

afterEach(cleanup)

type Send = (values: Record<string, string>) => Promise<SubmitErrors | undefined>

function show(send: Send) {
  render(
    <WordsProvider words={words}>
      <Form onSubmit={send}>
        <TextField name="email" label="Email" type="email" required hint="Yours alone." />
        <PasswordField name="password" label="Password" required />
        <Submit>Sign in</Submit>
      </Form>
    </WordsProvider>,
  )
  const email = screen.getByLabelText<HTMLInputElement>('Email')
  const password = screen.getByLabelText<HTMLInputElement>('Password')
  const type = (input: HTMLInputElement, value: string) => fireEvent.input(input, { target: { value } })
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  return { email, password, type, press }
}

test('posts before hydration, so that no password gets into the address', () => {
  const { email } = show(vi.fn<Send>())
  expect(email.form?.method).toBe('post')
})

test('shows validation errors on each field, focuses the first and does not submit', async () => {
  const send = vi.fn<Send>()
  const { email, password, type, press } = show(send)
  type(email, 'ana')
  press()
  await screen.findByText(words.invalid.email)
  expect(screen.getByText(words.invalid.required)).toBeTruthy()
  expect(email.getAttribute('aria-invalid')).toBe('true')
  expect(password.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(email))
  expect(send).not.toHaveBeenCalled()
})

test('shows all errors at once, although browsers report each field separately', async () => {
  const { email } = show(vi.fn<Send>())
  fireEvent.invalid(email)
  expect(await screen.findAllByText(words.invalid.required)).toHaveLength(2)
})

test('removes the error of a field while it is edited', async () => {
  const { email, type, press } = show(vi.fn<Send>())
  press()
  await screen.findAllByText(words.invalid.required)
  type(email, 'a')
  expect(screen.getAllByText(words.invalid.required)).toHaveLength(1)
  expect(email.getAttribute('aria-invalid')).toBeNull()
})

test('describes the field by error and hint', async () => {
  const { email, press } = show(vi.fn<Send>())
  press()
  await screen.findAllByText(words.invalid.required)
  const described = email
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(described).toEqual([words.invalid.required, 'Yours alone.'])
})

test('shows server errors on the field of the same name, others for the form', async () => {
  const { email, password, type, press } = show(async () => ({
    fields: { password: 'Too well known.', csrf: 'Load again.' },
  }))
  type(email, 'ana@example.com')
  type(password, 'password1234')
  press()
  await screen.findByText('Too well known.')
  await waitFor(() => expect(document.activeElement).toBe(password))
  expect(screen.getByRole('alert').textContent).toBe('Load again.')
})

test('shows a message for the form, also where the dialog or the page is scrolled past it', async () => {
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
  const { email, password, type, press } = show(async () => ({ message: 'Someone else was faster.' }))
  type(email, 'ana@example.com')
  type(password, 'correct horse')
  press()
  await screen.findByText('Someone else was faster.')
  await waitFor(() => expect(shown.mock.contexts).toEqual([screen.getByRole('alert')]))
})

test('is busy while submitting and ignores a second click', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const send = vi.fn<Send>(() => promise)
  const { email, password, type, press } = show(send)
  type(email, 'ana@example.com')
  type(password, 'correct horse')
  press()
  const button = screen.getByRole('button', { name: 'Sign in' })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  expect(button.hasAttribute('disabled')).toBe(false)
  press()
  resolve(undefined)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  expect(send.mock.calls.map(([values]) => values)).toEqual([{ email: 'ana@example.com', password: 'correct horse' }])
})

test('toggles the visibility of the password', () => {
  const { password } = show(vi.fn<Send>())
  fireEvent.click(screen.getByRole('button', { name: words.show_password }))
  expect(password.type).toBe('text')
  fireEvent.click(screen.getByRole('button', { name: words.hide_password }))
  expect(password.type).toBe('password')
})
