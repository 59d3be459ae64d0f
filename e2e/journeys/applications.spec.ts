import { clients } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana, cvetka } = people

test('§8 an app is unlinked while it runs: what it holds is worth nothing at once, and it asks anew', async ({
  house,
  jadrolet,
  open,
}) => {
  test.slow()
  const maker = await open()
  await settle(house, maker, ana)
  const client = await registerApp(maker, jadrolet.redirect_uri)
  await jadrolet.start(client)
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page } = visitor

  await page.goto('/applications')
  await expect(page.getByText('Apps that you let use your Vrata account will be listed here')).toBeVisible()
  await inspect(page, 'no connected apps')

  const site = await visitor.context.newPage()
  await site.goto(jadrolet.url)
  await site.getByRole('button', { name: 'Sign in with Vrata' }).click()
  await site.getByRole('button', { name: 'Allow' }).click()
  await expect(site.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.reload()
  await inspect(page, 'connected apps')
  await page.getByRole('link', { name: /^Jadrolet/ }).click()
  await expect(page.getByRole('heading', { name: 'Jadrolet' })).toBeFocused()
  await inspect(page, 'one connected app')

  // One permission is taken back, given again, and taken back.
  const takeBack = page.getByRole('button', { name: 'Take back: See your email address' })
  await takeBack.click()
  await expect(takeBack).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(takeBack).toBeVisible()
  await takeBack.click()
  await expect(takeBack).toBeHidden()

  done(await maker.call(clients.updateClientInfo, { id: client.client_id, enabled: false }))
  await page.reload()
  await expect(page.getByText('The maker has switched this app off.')).toBeVisible()
  await inspect(page, 'a connected app that is switched off')
  done(await maker.call(clients.updateClientInfo, { id: client.client_id, enabled: true }))

  await page.getByRole('button', { name: 'Remove access' }).click()
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
  await expect(page).toHaveURL('/applications')
  await expect(page.getByText('will be listed here')).toBeVisible()

  // The site still greets from its own memory; the next time that it sends its visitor here, it is asked for anew.
  await site.evaluate(() => {
    const form = document.querySelector('form')
    form?.setAttribute('action', '/sign-in')
    form?.requestSubmit()
  })
  await expect(site.getByRole('heading', { name: 'Jadrolet wants to use your Vrata account' })).toBeVisible()
})
