import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { clients, connections, quickStart, scopes } from '@vrata/contract'
import { afterAll, afterEach, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { type Cookies, cookieHeader, storeCookies } from '../../testing/api-client.ts'
import { createOrganization, type Organization } from './organization.ts'
import { people } from './people.ts'
import { copyOut, type Program, prepared, run } from './processes/programs.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import { allow, follow, here, SCOPE, signInTo } from './third-party.ts'

/** Runs every quick start program unchanged against the real server on a port. */
let server: TestServer
let ana: SignedIn
let organization: Organization
let port: number
const running: Program[] = []

beforeAll(async () => {
  const vrata = await freePort()
  server = await startTestServer({ VRATA_URL: `http://localhost:${vrata}`, VRATA_WEB_ORIGINS: 'http://localhost:3000' })
  await server.app.listen({ port: vrata, host: 'localhost' })
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server?.close())
afterEach(async () => {
  for (const program of running.splice(0)) await program.close()
})

type App = { client_id: string; client_secret: string | null }

/** A client, its quick start, and the files on disk with a free port in place of 4000. */
async function copied(type: clients.ClientType, key: string) {
  const app = await organization.app({
    name: 'Burja',
    type,
    ...(type === 'web' ? {} : { redirect_uri: undefined }),
  } as object)
  const quick = await quickStartOf(app, key)
  port = await freePort()
  const moved = (text: string) => text.replaceAll('4000', String(port))
  if (quick.redirect_uri) {
    const redirect_uri = moved(quick.redirect_uri.value)
    await ana.call(clients.addRedirectUri, { id: app.client_id, redirect_uri })
  }
  return { app, quick, folder: await copyOut(quick, moved) }
}

async function quickStartOf({ client_id }: App, key: string): Promise<quickStart.QuickStart> {
  const answer = await ana.call(quickStart.listQuickStarts, { id: client_id })
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
  const found = answer.data.find((one) => one.key === key)
  if (!found) throw new Error(`no quick start ${key}`)
  return found
}

function start(folder: string, command: string, args: string[], app: App): Program {
  const program = run(folder, command, args, { VRATA_CLIENT_SECRET: app.client_secret ?? '' })
  running.push(program)
  return program
}

/** Follows an authorization request and grants the scopes if needed; resolves with the redirect to the client. */
async function grantAndFollow(authorize: URL, { client_id }: App): Promise<URL> {
  const next = await follow(ana, here(authorize))
  if (!next.pathname.startsWith('/authorize/')) return next
  const interaction = here(next)
  const consent = await follow(ana, interaction)
  const uid = consent.searchParams.get('uid')
  if (!uid) return consent
  await ana.call(connections.submitConsent, { client: client_id, scopes: SCOPE.split(' '), uid })
  return await follow(ana, interaction)
}

/** A browser that stores the cookies of one site. */
function cookieBrowser() {
  const cookies: Cookies = new Map()
  return async (url: string | URL): Promise<Response> => {
    const cookie = cookieHeader(cookies)
    const answer = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    storeCookies(cookies, answer.headers.getSetCookie())
    return answer
  }
}

async function waitUntilListening(program: Program): Promise<void> {
  for (const began = Date.now(); Date.now() - began < 90_000; await wait(100)) {
    const answer = await fetch(`http://localhost:${port}/`, { redirect: 'manual' }).catch(() => null)
    if (answer) return
  }
  throw new Error(`The program does not listen: ${program.output()}`)
}

/** Signs Ana in to a running website; resolves with the text of its page. */
async function signIn(app: App, path = '/sign-in'): Promise<string> {
  const visit = cookieBrowser()
  const home = `http://localhost:${port}`
  const sent = await visit(home + path)
  const authorize = new URL(sent.headers.get('location') ?? '', home)
  expect(authorize.origin + authorize.pathname).toBe(`${server.config.url}/authorize`)
  let answer = await visit(await grantAndFollow(authorize, app))
  const on = answer.headers.get('location')
  if (on) answer = await visit(new URL(on, home))
  const page = await answer.text()
  // A name may contain HTML. React escapes it; what is put together from texts must not be a page.
  if (!page.startsWith('<!DOCTYPE html>')) expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  return page
}

/** Signs in once with each signature algorithm that the quick start lists. */
async function signInWithEachAlgorithm(app: App, { id_token_algorithms }: quickStart.QuickStart): Promise<void> {
  expect(id_token_algorithms).toContain('RS256')
  for (const id_token_signed_response_alg of id_token_algorithms) {
    await ana.call(clients.updateAdvanced, { id: app.client_id, id_token_signed_response_alg })
    expect([id_token_signed_response_alg, await signIn(app)]).toEqual([
      id_token_signed_response_alg,
      'Hello, Ana Kovač',
    ])
  }
}

async function firstSignIn({ client_id }: App): Promise<string | null> {
  const answer = await ana.call(clients.getClientInfo, { id: client_id })
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
  return answer.data.first_sign_in_at
}

/**
 * Programs of other registries take minutes to download and compile: `npm run quick-starts` runs them. The database does
 * not matter.
 */
const ofOtherRegistries = test.skipIf(!process.env.VRATA_TEST_ALL_QUICK_STARTS)

/** Skips a test that this machine cannot run, with a note in the report. */
function skip({ skip }: TestContext, hint: string): never {
  console.info(hint)
  return skip(hint) as never
}

describe('a website signs a user in', () => {
  test.each(['express', 'fastify'])('in Node with %s', async (key) => {
    const { app, quick, folder } = await copied('web', key)
    const program = start(folder, process.execPath, ['app.mjs'], app)
    await waitUntilListening(program)
    expect(await firstSignIn(app)).toBeNull()
    expect(await signIn(app)).toBe('Hello, Ana Kovač')
    expect(await firstSignIn(app)).not.toBeNull()
    await signInWithEachAlgorithm(app, quick)
  })

  ofOtherRegistries(
    'in Next.js',
    async (context) => {
      const { app, folder } = await copied('web', 'nextjs')
      await rm(`${folder}/node_modules`)
      const packages = ['next', 'react', 'react-dom', 'openid-client']
      const npm = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages]
      if (!(await prepared(folder, 'npm', npm))) skip(context, 'Next.js is not run here: npm cannot fetch it in time.')
      const program = start(
        folder,
        process.execPath,
        ['node_modules/next/dist/bin/next', 'dev', '--port', `${port}`],
        app,
      )
      await waitUntilListening(program)
      expect(await signIn(app)).toContain('Hello, Ana Kovač')
    },
    300_000,
  )

  ofOtherRegistries(
    'in Python',
    async (context) => {
      const { app, quick, folder } = await copied('web', 'python')
      const hint = 'Python is not run here: python3 with venv, or its packages, are not available.'
      if (!(await prepared(folder, 'python3', ['-m', 'venv', 'venv']))) skip(context, hint)
      const pip = ['install', '--quiet', 'flask', 'authlib', 'requests']
      if (!(await prepared(folder, 'venv/bin/pip', pip))) skip(context, hint)
      await waitUntilListening(start(folder, 'venv/bin/python', ['app.py'], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
      await signInWithEachAlgorithm(app, quick)
    },
    300_000,
  )

  ofOtherRegistries(
    'in Go',
    async (context) => {
      const { app, quick, folder } = await copied('web', 'go')
      await rm(`${folder}/node_modules`)
      const hint = 'Go is not run here: go, or its modules, are not available.'
      if (!(await prepared(folder, 'go', ['mod', 'init', 'example']))) skip(context, hint)
      const modules = ['get', 'github.com/coreos/go-oidc/v3/oidc', 'golang.org/x/oauth2']
      if (!(await prepared(folder, 'go', modules))) skip(context, hint)
      if (!(await prepared(folder, 'go', ['build', '-o', 'site', '.']))) throw new Error('main.go does not compile')
      await waitUntilListening(start(folder, './site', [], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
      await signInWithEachAlgorithm(app, quick)
    },
    300_000,
  )

  ofOtherRegistries(
    'in PHP',
    async (context) => {
      const { app, folder } = await copied('web', 'php')
      const composer = ['require', '--quiet', 'league/oauth2-client']
      if (!(await prepared(folder, 'php', ['--version'])))
        skip(context, 'PHP is not run here: php is not on this machine.')
      if (!(await prepared(folder, 'php', ['-l', 'index.php']))) throw new Error('index.php does not compile')
      if (!(await prepared(folder, 'composer', composer)))
        skip(context, 'PHP is only compiled here: composer, or its packages, are not available.')
      await waitUntilListening(start(folder, 'php', ['-S', `localhost:${port}`, 'index.php'], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
    },
    300_000,
  )

  ofOtherRegistries(
    'in Java with Spring',
    async (context) => {
      const { app, folder } = await copied('web', 'spring')
      const hint = 'Spring is not run here: mvn, or its packages, are not available.'
      if (!(await prepared(folder, 'mvn', ['-B', 'package']))) skip(context, hint)
      const java = ['-XX:TieredStopAtLevel=1', '-jar', 'target/example-1.jar']
      await waitUntilListening(start(folder, 'java', java, app))
      expect(await signIn(app, '/oauth2/authorization/vrata')).toBe('Hello, Ana Kovač')
    },
    300_000,
  )

  ofOtherRegistries(
    'in ASP.NET Core',
    async (context) => {
      const { app, folder } = await copied('web', 'aspnet')
      const hint = 'ASP.NET Core is not run here: dotnet 10, or its packages, are not available.'
      if (!(await prepared(folder, 'dotnet', ['build', 'app.cs']))) skip(context, hint)
      await waitUntilListening(start(folder, 'dotnet', ['run', 'app.cs'], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
    },
    300_000,
  )

  test('with cURL', async () => {
    const { app, folder } = await copied('web', 'curl')
    const program = start(folder, 'sh', ['sign-in.sh'], app)
    const [address] = await program.prints(/http\S+authorize\S+/)
    const back = await grantAndFollow(new URL(address), app)
    program.write(back.searchParams.get('code') ?? '')
    await program.prints(/"name":"Ana Kovač"/)
  })
})

describe('a native app signs a user in', () => {
  /** Signs Ana in to a program that prints the address and listens for the redirect. */
  async function signInTo(program: Program, app: App): Promise<void> {
    const [address] = await program.prints(/http\S+authorize\S+/)
    expect((await fetch(await grantAndFollow(new URL(address), app))).status).toBe(200)
    await program.prints(/Hello, Ana Kovač/)
  }

  test('in Node', async () => {
    const { app, folder } = await copied('native', 'native')
    await signInTo(start(folder, process.execPath, ['sign-in.mjs'], app), app)
  })

  ofOtherRegistries(
    'in Kotlin',
    async (context) => {
      const { app, folder } = await copied('native', 'kotlin')
      const hint = 'Kotlin is not run here: mvn, or its packages, are not available.'
      if (!(await prepared(folder, 'mvn', ['-B', '-Dkotlin.compiler.daemon=false', 'compile', 'exec:help'])))
        skip(context, hint)
      await signInTo(start(folder, 'mvn', ['--quiet', '-Dfile.encoding=UTF-8', 'exec:java'], app), app)
    },
    300_000,
  )

  ofOtherRegistries(
    'in C#',
    async (context) => {
      const { app, folder } = await copied('native', 'csharp')
      const hint = 'C# is not run here: dotnet 10, or its packages, are not available.'
      if (!(await prepared(folder, 'dotnet', ['build', 'sign-in.cs']))) skip(context, hint)
      await signInTo(start(folder, 'dotnet', ['run', 'sign-in.cs'], app), app)
    },
    300_000,
  )

  test('in Swift', async (context) => {
    await copied('native', 'swift')
    skip(context, 'Swift is not run here: AppAuth for iOS needs Xcode and a simulator.')
  })
})

describe('an API introspects tokens', () => {
  /** A token with a scope that the API defines, and one without. */
  async function tokensFor({ client_id }: App, key: string) {
    const made = await ana.call(scopes.defineScope, { id: client_id, key, title: { 'en-US': 'Read the weather' } })
    if (!made.ok) throw new Error(JSON.stringify(made.problem))
    // Unknown scopes are looked up at most once a second.
    await wait(1001)
    const reader = await organization.app({ name: 'Bralka' })
    await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: ['openid', key] })
    await allow(ana, reader, `openid ${key}`)
    const [good, other] = [`openid ${key}`, 'openid'].map((scope) => signInTo(server, ana, reader, { scope }))
    return { good: (await good)?.access_token ?? '', other: (await other)?.access_token ?? '' }
  }

  test('in Node', async () => {
    const { app, folder } = await copied('service', 'api-node')
    const { good, other } = await tokensFor(app, 'burja.read')
    await waitUntilListening(start(folder, process.execPath, ['api.mjs'], app))
    const ask = (token?: string) =>
      fetch(`http://localhost:${port}/`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
    expect((await ask()).status).toBe(401)
    expect((await ask(other)).status).toBe(401)
    expect(await (await ask(good)).text()).toBe(`${ana.user.id} may: burja.read\n`)
  })

  test('with cURL', async () => {
    const { app, folder } = await copied('service', 'api-curl')
    const { good, other } = await tokensFor(app, 'bura.read')
    await start(folder, 'sh', ['introspect.sh', other], app).prints(/"active":false/)
    await start(folder, 'sh', ['introspect.sh', good], app).prints(/"active":true.*"scope":"bura.read"/)
  })
})

describe('the quick start of a client', () => {
  test('contains programs for the type of the client with its values, but not its secret', async () => {
    const app = await organization.app({ type: 'web' })
    const answer = await ana.call(quickStart.listQuickStarts, { id: app.client_id })
    if (!answer.ok) throw new Error(answer.problem.code)
    expect(answer.data.map(({ key }) => key)).toEqual([
      'express',
      'nextjs',
      'fastify',
      'python',
      'go',
      'php',
      'spring',
      'aspnet',
      'curl',
    ])
    const text = JSON.stringify(answer.data)
    expect(text).toContain(app.client_id)
    expect(text).toContain(server.config.url)
    expect(text).not.toMatch(/YOUR_CLIENT_ID|id\.example\.com/)
    expect(text).not.toContain(app.client_secret)
  })

  test('tells which redirect URI and origin are not registered', async () => {
    const { client_id } = await organization.app({ type: 'spa', redirect_uri: 'http://localhost:4000/' })
    const [javascript] = [await quickStartOf({ client_id, client_secret: null }, 'javascript')]
    expect(javascript.redirect_uri).toEqual({ value: 'http://localhost:4000/', registered: true })
    expect(javascript.origin).toEqual({ value: 'http://localhost:4000', registered: false })
  })

  test('does not allow http when the issuer uses https', async () => {
    const secure = await startTestServer({
      VRATA_URL: 'https://id.example.org',
      VRATA_WEB_ORIGINS: 'http://localhost:3000',
    })
    try {
      const bor = await secure.as(people.bor)
      const { client_id } = await (await createOrganization(secure, bor)).app()
      const answer = await bor.call(quickStart.listQuickStarts, { id: client_id })
      const text = JSON.stringify(answer)
      expect(text).toContain('https://id.example.org')
      expect(text).not.toMatch(/allowInsecure|runs on http|UpgradeInsecure|RequireHttpsMetadata/)
    } finally {
      await secure.close()
    }
  })
})
