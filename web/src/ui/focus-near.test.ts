// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepFocus } from './focus-near.ts'

let stop: () => void
beforeEach(() => {
  document.body.innerHTML =
    '<main><div><h1>Your info</h1><section><h2>Email</h2><p><button>Keep old one</button></p></section></div></main>'
  stop = keepFocus()
})
afterEach(() => stop())

const button = () => document.querySelector('button') as HTMLButtonElement

test('the nearest heading gets the focus of a control that is removed', async () => {
  button().focus()
  document.querySelector('p')?.remove()
  await Promise.resolve()
  expect(document.activeElement?.textContent).toBe('Email')
})

test('the heading of the page gets it where everything else is replaced', async () => {
  button().focus()
  const page = document.querySelector('main div') as HTMLElement
  page.innerHTML = '<h1>Email confirmed</h1>'
  await Promise.resolve()
  expect(document.activeElement?.textContent).toBe('Email confirmed')
})

test('an element that takes the focus keeps it', async () => {
  button().focus()
  const field = document.createElement('input')
  button().replaceWith(field)
  field.focus()
  await Promise.resolve()
  expect(document.activeElement).toBe(field)
})

test('nothing gets the focus when the control had lost it before, or was in a dialog', async () => {
  button().focus()
  button().blur()
  await Promise.resolve()
  button().remove()
  await Promise.resolve()
  expect(document.activeElement).toBe(document.body)
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"><button>Cancel</button></div>')
  button().focus()
  button().remove()
  await Promise.resolve()
  expect(document.activeElement).toBe(document.body)
})
