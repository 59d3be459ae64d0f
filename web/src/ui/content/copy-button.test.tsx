// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { words } from '../gallery/words.ts'
import { WordsProvider } from '../words.tsx'
import { CopyButton } from './copy-button.tsx'

/** Text that a browser without clipboard API has copied: the selected one. */
let selected: string | undefined
let copies: boolean

beforeEach(() => {
  copies = true
  selected = undefined
  document.execCommand = () => {
    selected = document.querySelector('textarea')?.value
    return copies
  }
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'clipboard')
})

function pressCopy(clipboard: Partial<Clipboard> | undefined): HTMLElement {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
  render(
    <WordsProvider words={words}>
      <CopyButton text="vrt_1" what="Client ID" />
    </WordsProvider>,
  )
  const button = screen.getByRole('button')
  fireEvent.click(button)
  return button
}

test('copies with the clipboard of the browser', async () => {
  const writeText = vi.fn(async () => {})
  pressCopy({ writeText })
  await screen.findByText('Copied')
  expect(writeText).toHaveBeenCalledWith('vrt_1')
  expect(selected).toBeUndefined()
})

test.each([
  ['has no clipboard, as over plain HTTP', undefined],
  ['refuses the clipboard', { writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')) }],
])('copies what is selected where the browser %s', async (_, clipboard) => {
  const button = pressCopy(clipboard)
  await screen.findByText('Copied')
  expect(selected).toBe('vrt_1')
  expect(document.querySelector('textarea')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('says when nothing could be copied', async () => {
  copies = false
  pressCopy(undefined)
  await screen.findByText('Try again')
  expect(screen.queryByText('Copied')).toBeNull()
})
