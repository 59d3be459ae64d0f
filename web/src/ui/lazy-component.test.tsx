// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode, Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyComponent } from './lazy-component.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override render = () => (this.state.failed ? <p>This part cannot be shown.</p> : this.props.children)
}

/** A component whose code arrives after a number of failed loads. */
function component(failures: number) {
  const file = { Dialog: () => <p>Delete the app?</p> }
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return file
  })
  const Dialog = lazyComponent(load, 'Dialog')
  const show = () =>
    act(async () => {
      render(
        <Boundary>
          <Suspense>
            <Dialog />
          </Suspense>
        </Boundary>,
      )
    })
  return { load, Dialog, show }
}

test('a load that has failed ahead of time is repeated when the component is shown', async () => {
  const { load, Dialog, show } = component(1)
  await Dialog.preload()
  await show()
  await screen.findByText('Delete the app?')
  expect(load).toHaveBeenCalledTimes(2)
})

test('a load that fails when the component is shown is an error, and not repeated without end', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { load, show } = component(Number.POSITIVE_INFINITY)
  await show()
  await screen.findByText('This part cannot be shown.')
  expect(load).toHaveBeenCalledOnce()
})

test('a later page loads again what has failed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { Dialog, show } = component(1)
  await show()
  await screen.findByText('This part cannot be shown.')
  cleanup()
  await Dialog.preload()
  await show()
  await screen.findByText('Delete the app?')
})
