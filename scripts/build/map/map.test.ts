import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../contract/src/routes.ts'
import { startTestServer } from '../../../server/test/test-server.ts'
import { ROOT } from '../../run-command.ts'
import { callEntries, endpointEntries, pageEntries } from './entries.ts'

const exists = (file: string) => existsSync(join(ROOT, file))

describe('the map of the code', () => {
  it('names an existing contract file and rule file for every call', () => {
    const calls = callEntries()
    expect(calls.map(({ name }) => name).sort()).toEqual([...ROUTES.keys()].sort())
    expect(calls.filter(({ contract, rule }) => !exists(contract) || !rule || !exists(rule))).toEqual([])
  })

  it('names an existing file or a redirect for every page address', () => {
    const pages = pageEntries()
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.filter(({ file, redirect }) => (file ? !exists(file) : !redirect))).toEqual([])
  })

  it('names all addresses outside the API that the server registers, with their methods', async () => {
    const registered = new Set<string>()
    const watch = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', ({ method, url, config }) => {
        for (const one of config?.refuses ? [] : [method].flat()) if (one !== 'HEAD') registered.add(`${one} ${url}`)
      })
    }
    subscribe('fastify.initialization', watch)
    const server = await startTestServer({ VRATA_CLIENT_REGISTRATION: 'on' })
    unsubscribe('fastify.initialization', watch)
    await server.close()

    const calls = new Set(callEntries().map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`))
    const endpoints = new Set(endpointEntries().flatMap(({ methods, path }) => methods.map((one) => `${one} ${path}`)))
    expect([...registered].filter((one) => !calls.has(one) && !endpoints.has(one))).toEqual([])
    const issuer = endpointEntries().filter(({ file }) => file.startsWith('server/src/issuer/'))
    const absent = issuer.flatMap(({ methods, path }) => methods.map((one) => `${one} ${path}`))
    expect(absent.filter((address) => !registered.has(address))).toEqual([])
  })
})
