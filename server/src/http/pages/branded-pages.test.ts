import type { Boot, PlannedPage } from '@vrata/contract'
import { expect, test } from 'vitest'
import { BrandedPages } from './branded-pages.ts'

test('a page that could not be rendered with the name of the installation is rendered at the next request', async () => {
  const look = { name: 'Acme' }
  const boot = { locale: 'en-US', branding: look } as Boot
  const page = { pattern: '^/login/?$', prerendered: true, address: '/login', html: {}, titles: {} } as PlannedPage
  const rendered = [undefined, '<h1>Acme</h1>']
  const pages = new BrandedPages(async () => rendered.shift())
  const shown = async () => (await pages.find(page, look, boot)).html['en-US']
  expect([await shown(), await shown(), await shown()]).toEqual([undefined, '<h1>Acme</h1>', '<h1>Acme</h1>'])
})
