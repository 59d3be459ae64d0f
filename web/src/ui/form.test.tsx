// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TextField } from './field.tsx'
import { Form, type FormRefusal, Submit } from './form.tsx'
import { words } from './gallery/words.ts'
import { PasswordField } from './password-field.tsx'
import { WordsProvider } from './words.tsx'

afterEach(cleanup)

type Send = (values: Record<string, string>) => Promise<FormRefusal | undefined>

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

test('a form that is not hydrated yet posts, so that no password gets into the address bar', () => {
  const { email } = show(vi.fn<Send>())
  expect(email.form?.method).toBe('post')
})

test('what the browser finds wrong is said on each field, the first one gets the focus, and nothing is sent', async () => {
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

test('all that is wrong shows at once, although a browser tells of each field in a turn of its own', async () => {
  const { email } = show(vi.fn<Send>())
  fireEvent.invalid(email)
  expect(await screen.findAllByText(words.invalid.required)).toHaveLength(2)
})

test('an error goes while its field is being mended, the others stay', async () => {
  const { email, type, press } = show(vi.fn<Send>())
  press()
  await screen.findAllByText(words.invalid.required)
  type(email, 'a')
  expect(screen.getAllByText(words.invalid.required)).toHaveLength(1)
  expect(email.getAttribute('aria-invalid')).toBeNull()
})

test('the error and the hint describe the field', async () => {
  const { email, press } = show(vi.fn<Send>())
  press()
  await screen.findAllByText(words.invalid.required)
  const described = email
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(described).toEqual([words.invalid.required, 'Yours alone.'])
})

test('a server error lands on the field of the same name; one without a field is said for the whole form', async () => {
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

test('while the answer is awaited the button is busy, never disabled, and a second press sends nothing', async () => {
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

test('the eye shows the password and hides it again', () => {
  const { password } = show(vi.fn<Send>())
  fireEvent.click(screen.getByRole('button', { name: words.show_password }))
  expect(password.type).toBe('text')
  fireEvent.click(screen.getByRole('button', { name: words.hide_password }))
  expect(password.type).toBe('password')
})
