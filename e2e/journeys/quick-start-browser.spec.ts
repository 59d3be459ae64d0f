import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clients, quickStart } from '@vrata/contract'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { startNodeProcess } from '../server/node-process.ts'

const { ana } = people
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')

/** The programs of the quick start that run in the browser, as the page shows them but for the port. */
for (const key of ['javascript', 'react']) {
  test(`the quick start in ${key} signs a user in and shows the name`, async ({ server, open }) => {
    test.slow()
    // Vite's development server logs to the console of its page.
    const visitor = await open({ allow: /vite|favicon|WebSocket|React DevTools/i })
    await signUpConfirmed(server, visitor, ana)
    await registerApp(visitor)
    const port = await freePort()
    const withPort = (text: string) => text.replaceAll('4000', String(port))
    const { client_id: id } = dataOf(await visitor.call(clients.createClient, { name: 'Burja', type: 'spa' }))
    const program = dataOf(await visitor.call(quickStart.listQuickStarts, { id })).find(
      (example) => example.key === key,
    )
    if (!program) throw new Error(`no quick start ${key}`)
    dataOf(
      await visitor.call(clients.addRedirectUri, { id, redirect_uri: withPort(program.redirect_uri?.value ?? '') }),
    )
    dataOf(await visitor.call(clients.addOrigin, { id, origin: withPort(program.origin?.value ?? '') }))

    const folder = await mkdtemp(join(tmpdir(), 'vrata-quick-start-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const { name, code } of program.files) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), withPort(code))
    }
    await writeFile(
      join(folder, 'vite.config.mjs'),
      'export default { cacheDir: ".vite", server: { fs: { strict: false } } }',
    )
    const url = `http://localhost:${port}/`
    const site = await startNodeProcess(
      [VITE, folder, '--host', 'localhost', '--port', String(port), '--strictPort'],
      {},
      async () => (await fetch(url).catch(() => null))?.ok ?? false,
    )
    try {
      const { page } = visitor
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()
      await expect(page).toHaveURL(url)
      expect(dataOf(await visitor.call(clients.getClientInfo, { id })).first_sign_in_at).not.toBeNull()
    } finally {
      await site.stop('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    }
  })
}
