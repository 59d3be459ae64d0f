// @vitest-environment node
import { clients, signIn } from '@vrata/contract'
import { ROUTES } from '@vrata/contract/routes'
import { build } from 'vite'
import { describe, expect, test } from 'vitest'
import { contract, routeData } from './contract-plugin.ts'

describe('contract plugin (architecture §3.5)', () => {
  test('replaces a call by address, access and native constraints', () => {
    expect(routeData(signIn.register)).toEqual({
      method: 'POST',
      path: '/auth/register',
      needs: 'nobody',
      input: {
        email: { required: true, maxLength: 254, type: 'email' },
        password: { required: true, maxLength: 256 },
        first_name: { maxLength: 60 },
        last_name: { maxLength: 60 },
        invitation: { maxLength: 200 },
      },
    })
    expect(routeData(clients.regenerateSecret)).toMatchObject({ needs: 'developer', fresh: true })
  })

  test('converts every call into plain data', () => {
    for (const [name, route] of ROUTES) {
      const address = routeData(route)
      expect(JSON.parse(JSON.stringify(address)), name).toEqual(address)
    }
  })

  test('keeps zod out of the bundle', async () => {
    const entry = 'virtual:entry'
    const output = await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [
        contract(),
        {
          name: 'entry',
          resolveId: (id) => (id === entry ? entry : null),
          load: (id) =>
            id === entry ? "import * as contract from '@vrata/contract'; globalThis.contract = contract" : null,
        },
      ],
      build: { write: false, minify: false, rollupOptions: { input: entry } },
    })
    if (!('output' in output)) throw new Error('one output was asked for')
    const [chunk] = output.output
    expect(Object.keys(chunk.modules).filter((id) => id.includes('zod'))).toEqual([])
    expect(chunk.code).toContain('/auth/register')
    expect(chunk.code).not.toContain('safeParse')
  })
})
