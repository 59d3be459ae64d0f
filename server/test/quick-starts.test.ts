import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { clients, connections, quickStart, scopes } from '@vrata/contract'
import { afterAll, afterEach, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type House, openHouse, type SignedIn } from './house.ts'
import { type Organisation, openOrganisation } from './organisation.ts'
import { people } from './people.ts'
import { copyOut, freePort, type Program, prepared, run } from './programs.ts'
import { testEngine } from './template-db.ts'
import { allow, follow, here, SCOPE, signInTo } from './third-party.ts'

/** Every program that the quick start hands out is run as it is handed out, against the real server on a real port. */
let house: House
let ana: SignedIn
let organisation: Organisation
let port: number
const running: Program[] = []

beforeAll(async () => {
  const vrata = await freePort()
  house = await openHouse({ VRATA_URL: `http://localhost:${vrata}`, VRATA_WEB_ORIGINS: 'http://localhost:3000' })
  await house.app.listen({ port: vrata, host: 'localhost' })
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house?.close())
afterEach(async () => {
  for (const program of running.splice(0)) await program.close()
})

type App = { client_id: string; client_secret: string | null }

/** An app of a kind, its program, and the program's files on disk with a free port in place of 4000. */
async function copied(type: clients.ClientType, key: string) {
  const app = await organisation.app({
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

/** Goes from an address of ours to where the program is to be sent, allowing what it asks for. */
async function allowed(authorize: URL, { client_id }: App): Promise<URL> {
  const waiting = here(await follow(ana, here(authorize)))
  const consent = await follow(ana, waiting)
  const uid = consent.searchParams.get('uid')
  if (!uid) return consent
  await ana.call(connections.putConsent, { client: client_id, scopes: SCOPE.split(' '), uid })
  return await follow(ana, waiting)
}

/** A browser that keeps the cookies of one site. */
function visitor() {
  const jar = new Map<string, string>()
  return async (url: string | URL): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer
  }
}

async function opens(program: Program): Promise<void> {
  for (const began = Date.now(); Date.now() - began < 90_000; await wait(100)) {
    const answer = await fetch(`http://localhost:${port}/`, { redirect: 'manual' }).catch(() => null)
    if (answer) return
  }
  throw new Error(`it did not open: ${program.said()}`)
}

/** Signs Ana in to a website that is running; answers what it then says. */
async function signIn(app: App): Promise<string> {
  const visit = visitor()
  const home = `http://localhost:${port}`
  const sent = await visit(`${home}/sign-in`)
  const authorize = new URL(sent.headers.get('location') ?? '', home)
  expect(authorize.origin + authorize.pathname).toBe(`${house.config.url}/authorize`)
  let answer = await visit(await allowed(authorize, app))
  const on = answer.headers.get('location')
  if (on) answer = await visit(new URL(on, home))
  return await answer.text()
}

async function firstSignIn({ client_id }: App): Promise<string | null> {
  const answer = await ana.call(clients.getClientInfo, { id: client_id })
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
  return answer.data.first_sign_in_at
}

/** Minutes of downloads and compiling are spent once, on SQLite: what they prove has nothing to do with the database. */
const elsewhere = testEngine === 'postgres'

/** Skips honestly what cannot be run on this machine; the report counts it. */
function skip({ skip }: TestContext, hint: string): never {
  console.info(hint)
  return skip(hint) as never
}

describe('a website', () => {
  test.each(['express', 'fastify'])('in Node, with %s, signs a person in by name', async (key) => {
    const { app, folder } = await copied('web', key)
    const program = start(folder, process.execPath, ['app.mjs'], app)
    await opens(program)
    expect(await firstSignIn(app)).toBeNull()
    expect(await signIn(app)).toBe('Hello, Ana Kovač')
    expect(await firstSignIn(app)).not.toBeNull()
  })

  test.skipIf(elsewhere)(
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
      await opens(program)
      expect(await signIn(app)).toContain('Hello, Ana Kovač')
    },
    300_000,
  )

  test.skipIf(elsewhere)(
    'in Python',
    async (context) => {
      const { app, folder } = await copied('web', 'python')
      const hint = 'Python is not run here: python3 with venv, or its packages, cannot be had.'
      if (!(await prepared(folder, 'python3', ['-m', 'venv', 'venv']))) skip(context, hint)
      const pip = ['install', '--quiet', 'flask', 'authlib', 'requests']
      if (!(await prepared(folder, 'venv/bin/pip', pip))) skip(context, hint)
      await opens(start(folder, 'venv/bin/python', ['app.py'], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
    },
    300_000,
  )

  test.skipIf(elsewhere)(
    'in Go',
    async (context) => {
      const { app, folder } = await copied('web', 'go')
      await rm(`${folder}/node_modules`)
      const hint = 'Go is not run here: go, or its modules, cannot be had.'
      if (!(await prepared(folder, 'go', ['mod', 'init', 'example']))) skip(context, hint)
      const modules = ['get', 'github.com/coreos/go-oidc/v3/oidc', 'golang.org/x/oauth2']
      if (!(await prepared(folder, 'go', modules))) skip(context, hint)
      if (!(await prepared(folder, 'go', ['build', '-o', 'site', '.']))) throw new Error('main.go does not compile')
      await opens(start(folder, './site', [], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
    },
    300_000,
  )

  test.skipIf(elsewhere)(
    'in PHP',
    async (context) => {
      const { app, folder } = await copied('web', 'php')
      const composer = ['require', '--quiet', 'league/oauth2-client']
      if (!(await prepared(folder, 'php', ['--version'])))
        skip(context, 'PHP is not run here: php is not on this machine.')
      if (!(await prepared(folder, 'php', ['-l', 'index.php']))) throw new Error('index.php does not compile')
      if (!(await prepared(folder, 'composer', composer)))
        skip(context, 'PHP is only compiled here: composer, or its packages, cannot be had.')
      await opens(start(folder, 'php', ['-S', `localhost:${port}`, 'index.php'], app))
      expect(await signIn(app)).toBe('Hello, Ana Kovač')
    },
    300_000,
  )

  test('with cURL alone', async () => {
    const { app, folder } = await copied('web', 'curl')
    const program = start(folder, 'sh', ['sign-in.sh'], app)
    const [address] = await program.says(/http\S+authorize\S+/)
    const back = await allowed(new URL(address), app)
    program.write(back.searchParams.get('code') ?? '')
    await program.says(/"name":"Ana Kovač"/)
  })
})

test('an app on a desktop, in Node', async () => {
  const { app, folder } = await copied('native', 'native')
  const program = start(folder, process.execPath, ['sign-in.mjs'], app)
  const [address] = await program.says(/http\S+authorize\S+/)
  expect((await fetch(await allowed(new URL(address), app))).status).toBe(200)
  await program.says(/Hello, Ana Kovač/)
})

describe('an API', () => {
  /** A token that carries a scope which the API defines, and one that does not. */
  async function tokensFor({ client_id }: App, key: string) {
    const made = await ana.call(scopes.putScope, { id: client_id, key, title: { 'en-US': 'Read the weather' } })
    if (!made.ok) throw new Error(JSON.stringify(made.problem))
    // A new scope is known when it is first asked for, at most once a second.
    await wait(1001)
    const reader = await organisation.app({ name: 'Bralka' })
    await ana.call(clients.updateClientInfo, { id: reader.client_id, scopes: ['openid', key] })
    await allow(ana, reader, `openid ${key}`)
    const [good, other] = [`openid ${key}`, 'openid'].map((scope) => signInTo(house, ana, reader, { scope }))
    return { good: (await good)?.access_token ?? '', other: (await other)?.access_token ?? '' }
  }

  test('in Node knows whose a token is and what it allows', async () => {
    const { app, folder } = await copied('service', 'api-node')
    const { good, other } = await tokensFor(app, 'burja.read')
    await opens(start(folder, process.execPath, ['api.mjs'], app))
    const ask = (token?: string) =>
      fetch(`http://localhost:${port}/`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
    expect((await ask()).status).toBe(401)
    expect((await ask(other)).status).toBe(401)
    expect(await (await ask(good)).text()).toBe(`${ana.user.id} may: burja.read\n`)
  })

  test('with cURL, too', async () => {
    const { app, folder } = await copied('service', 'api-curl')
    const { good, other } = await tokensFor(app, 'bura.read')
    await start(folder, 'sh', ['introspect.sh', other], app).says(/"active":false/)
    await start(folder, 'sh', ['introspect.sh', good], app).says(/"active":true.*"scope":"bura.read"/)
  })
})

describe('what is handed out', () => {
  test('fits the kind of app and carries its values, never its secret', async () => {
    const app = await organisation.app({ type: 'web' })
    const answer = await ana.call(quickStart.listQuickStarts, { id: app.client_id })
    if (!answer.ok) throw new Error(answer.problem.code)
    expect(answer.data.map(({ key }) => key)).toEqual(['express', 'nextjs', 'fastify', 'python', 'go', 'php', 'curl'])
    const text = JSON.stringify(answer.data)
    expect(text).toContain(app.client_id)
    expect(text).toContain(house.config.url)
    expect(text).not.toMatch(/YOUR_CLIENT_ID|id\.example\.com/)
    expect(text).not.toContain(app.client_secret)
  })

  test('tells what is still to be registered', async () => {
    const { client_id } = await organisation.app({ type: 'spa', redirect_uri: 'http://localhost:4000/' })
    const [javascript] = [await quickStartOf({ client_id, client_secret: null }, 'javascript')]
    expect(javascript.redirect_uri).toEqual({ value: 'http://localhost:4000/', registered: true })
    expect(javascript.origin).toEqual({ value: 'http://localhost:4000', registered: false })
  })

  test('says nothing of http where Vrata runs on https', async () => {
    const secure = await openHouse({ VRATA_URL: 'https://id.example.org', VRATA_WEB_ORIGINS: 'http://localhost:3000' })
    try {
      const bor = await secure.as(people.bor)
      const { client_id } = await (await openOrganisation(secure, bor)).app()
      const answer = await bor.call(quickStart.listQuickStarts, { id: client_id })
      const text = JSON.stringify(answer)
      expect(text).toContain('https://id.example.org')
      expect(text).not.toMatch(/allowInsecure|runs on http|UpgradeInsecure/)
    } finally {
      await secure.close()
    }
  })
})
