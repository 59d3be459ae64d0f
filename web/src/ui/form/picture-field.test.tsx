// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { toasts } from '../feedback/toast.ts'
import { PictureField, type PictureWords } from './picture-field.tsx'

const words = { hint: '', add: 'Add', not_saved: (why: string) => `Not saved: ${why}` } as PictureWords
afterEach(cleanup)

function choose() {
  const sent = Promise.withResolvers<string | undefined>()
  const { container, unmount: leave } = render(
    <PictureField
      kind="app"
      url={null}
      name="Jadrolet"
      words={words}
      send={() => sent.promise}
      remove={async () => undefined}
    />,
  )
  const input = container.querySelector('input') as HTMLInputElement
  fireEvent.change(input, { target: { files: [new File(['x'], 'logo.png', { type: 'image/png' })] } })
  return { leave, refuse: () => sent.resolve('No answer') }
}

test('a picture that is not saved is reported beside the field', async () => {
  const { refuse } = choose()
  refuse()
  await screen.findByText('No answer')
  expect(toasts.current()).toEqual([])
})

test('a picture that is not saved after the page was left is reported all the same', async () => {
  const { leave, refuse } = choose()
  leave()
  refuse()
  await waitFor(() => expect(toasts.current()).toMatchObject([{ text: 'Not saved: No answer' }]))
})
