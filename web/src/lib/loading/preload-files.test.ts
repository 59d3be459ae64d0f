// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { withFiles } from './preload-files.ts'

afterEach(() => document.head.replaceChildren())

test('the files that a file imports are requested at the same time, each of them once', async () => {
  const linked = () =>
    [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href'))
  const load = vi.fn(async () => ({ Dialog: linked() }))
  expect(await withFiles(load, ['assets/dialog.js', 'assets/row.js'])).toEqual({
    Dialog: ['/assets/dialog.js', '/assets/row.js'],
  })
  await withFiles(load, ['assets/row.js', 'assets/card.js'])
  expect(linked()).toEqual(['/assets/dialog.js', '/assets/row.js', '/assets/card.js'])
  await withFiles(load)
  expect(load).toHaveBeenCalledTimes(3)
})

test('a file that cannot be loaded is reported, so that a page can load the files of a new release', async () => {
  const reported = vi.fn()
  addEventListener('vite:preloadError', reported, { once: true })
  await expect(withFiles(() => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch')
  expect(reported).toHaveBeenCalledOnce()
})
