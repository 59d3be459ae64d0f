import { configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { toasts } from './src/ui/feedback/toast.ts'

// As long as polls of Vitest wait, instead of one second: machines may be slow or do something else.
configure({ asyncUtilTimeout: 25_000 })

// jsdom has no layout.
Element.prototype.scrollIntoView ??= () => {}

// The test files of a worker share the module.
afterEach(() => {
  for (const { key } of toasts.current()) toasts.dismiss(key)
})
