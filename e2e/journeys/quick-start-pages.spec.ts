import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clients, quickStart } from '@vrata/contract'
import { ROOT } from '../../scripts/command.ts'
import { people } from '../../server/test/people.ts'
import { freePort, runNode } from '../child.ts'
import { expect, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana } = people
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')

/** The two programs of the quick start that live in a browser, run in one as they are handed out. */
for (const key of ['javascript', 'react']) {
  test(`the quick start in ${key} signs a person in by name`, async ({ house, open }) => {
    test.slow()
    // The bundler of the example talks to its own page; that is not ours to judge.
    const visitor = await open({ allow: /vite|favicon|WebSocket|React DevTools/i })
    await settle(house, visitor, ana)
    await registerApp(visitor)
    const port = await freePort()
    const moved = (text: string) => text.replaceAll('4000', String(port))
    const { client_id: id } = done(await visitor.call(clients.createClient, { name: 'Burja', type: 'spa' }))
    const program = done(await visitor.call(quickStart.listQuickStarts, { id })).find((one) => one.key === key)
    if (!program) throw new Error(`no quick start ${key}`)
    done(await visitor.call(clients.addRedirectUri, { id, redirect_uri: moved(program.redirect_uri?.value ?? '') }))
    done(await visitor.call(clients.addOrigin, { id, origin: moved(program.origin?.value ?? '') }))

    const folder = await mkdtemp(join(tmpdir(), 'vrata-quick-start-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const { name, code } of program.files) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), moved(code))
    }
    await writeFile(
      join(folder, 'vite.config.mjs'),
      'export default { cacheDir: ".vite", server: { fs: { strict: false } } }',
    )
    const url = `http://localhost:${port}/`
    const site = await runNode(
      [VITE, folder, '--host', 'localhost', '--port', String(port), '--strictPort'],
      {},
      async () => (await fetch(url).catch(() => null))?.ok ?? false,
    )
    try {
      const { page } = visitor
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible({ timeout: 20_000 })
      await expect(page).toHaveURL(url)
      expect(done(await visitor.call(clients.getClientInfo, { id })).first_sign_in_at).not.toBeNull()
    } finally {
      await site.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    }
  })
}
