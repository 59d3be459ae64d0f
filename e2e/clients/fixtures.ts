import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Api, clients, developers, security, signIn } from '@vrata/contract'
import { freePort } from '../../scripts/free-port.ts'
import { jadrolet, people, studio } from '../../server/test/people.ts'
import { apiClient, dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { browserApi } from '../browser-api.ts'
import { type NodeProcess, startProcess } from '../server/node-process.ts'
import { startTestServer, type TestServer } from '../server/test-server.ts'
import { install, Unavailable } from './install.ts'
import type { Library } from './libraries.ts'

/** Her language is English, so the programs and the pages of Vrata say the same on their buttons. */
const { cvetka } = people
/** A program in Java starts in seconds, on a busy machine in a minute. */
const START_TIMEOUT = 120_000

export type Started = {
  program: NodeProcess
  home: string
  /** The URL that a native app opens in the browser of the system. */
  nextUrl(): Promise<string>
}

type StartOptions = {
  settings?: Partial<clients.Advanced>
  /** Scopes that the app may ask for, if not those of a new app. */
  scopes?: string[]
  /** Environment variables of the program. */
  environment?: Record<string, string>
}

type Fixtures = {
  /** Registers an app with the settings of a library and starts its program; skips the test where it is not available. */
  start(library: Library, options?: StartOptions): Promise<Started>
}

type WorkerFixtures = { server: TestServer; developer: Api }

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({ browserName: _ }, use) => {
      const server = await startTestServer()
      await use(server)
      const errors = server.errors()
      await server.close()
      expect(errors, 'errors in the log of the server').toEqual([])
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  /** The API as Ana, who has an organization. */
  developer: [
    async ({ server }, use) => {
      const call = apiClient({ url: server.url })
      dataOf(await call(signIn.register, cvetka))
      dataOf(
        await call(security.verifyEmail, { token: tokenIn(await server.mailedLink(cvetka.email, '/confirm-email/')) }),
      )
      dataOf(await call(developers.createDeveloper, { name: studio.name }))
      await use(call)
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  context: async ({ context, server, developer: _ }, use) => {
    const { email, password } = cvetka
    dataOf(await browserApi(context, server)(signIn.login, { username: email, password }))
    await use(context)
  },

  start: async ({ server, developer }, use, testInfo) => {
    const programs: NodeProcess[] = []
    const systemBrowser = await createSystemBrowser()
    await use(async (library, { settings, scopes, environment: more } = {}) => {
      const { command, args } = await install(library).catch((error) => {
        if (error instanceof Unavailable) testInfo.skip(true, error.message)
        throw error
      })
      const port = await freePort()
      const home = `http://localhost:${port}`
      const client = await register(developer, library, home, settings)
      if (scopes) dataOf(await developer(clients.updateClientInfo, { id: client.client_id, scopes }))
      const environment = {
        ISSUER: server.url,
        CLIENT_ID: client.client_id,
        CLIENT_SECRET: client.client_secret ?? '',
        PORT: String(port),
        PATH: `${systemBrowser.folder}${delimiter}${process.env.PATH}`,
        ...more,
      }
      const isNative = library.type === 'native'
      const ready = async () => isNative || (await fetch(home, { redirect: 'manual' }).catch(() => null)) !== null
      const program = await startProcess(command, args, environment, ready, START_TIMEOUT)
      programs.push(program)
      return { program, home, nextUrl: systemBrowser.nextUrl }
    })
    for (const program of programs) {
      await program.stop('SIGTERM')
      if (testInfo.error) console.log(program.output())
    }
    await rm(systemBrowser.folder, { recursive: true })
  },
})

/** Registers an app as the pages do, with the settings that the library needs. */
async function register(call: Api, library: Library, home: string, settings: Partial<clients.Advanced> = {}) {
  const { type, callback, renewsBeforeExpiry } = library
  const origin = type === 'native' ? 'http://127.0.0.1' : home
  const app = dataOf(await call(clients.createClient, { name: jadrolet.name, type, redirect_uri: origin + callback }))
  const { client_id: id } = app
  if (type === 'spa') dataOf(await call(clients.addOrigin, { id, origin: home }))
  const post_logout_redirect_uris = type === 'native' ? [] : [home, `${home}/`, `${home}/auth/signout`]
  const changes = { post_logout_redirect_uris, ...library.settings?.changes, ...settings }
  dataOf(await call(clients.updateAdvanced, { id, ...changes, ...(renewsBeforeExpiry && { access_token_ttl: 60 }) }))
  return app
}

/** A folder for PATH with an `xdg-open`, the command that opens the browser of the system, which writes the URL down. */
async function createSystemBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'vrata-xdg-open-'))
  const opened = join(folder, 'url')
  await writeFile(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf %s "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`,
    { mode: 0o755 },
  )
  const nextUrl = async () => {
    let url = ''
    await expect(async () => {
      url = await readFile(opened, 'utf8')
    }).toPass({ timeout: 15_000 })
    await rm(opened)
    return url
  }
  return { folder, nextUrl }
}
