import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type branding, DEFAULT_POLICY, LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountPages, type PageUser } from './pages.ts'

const words = (word: string) => ({ 'en-US': word, 'sl-SI': `${word} sl`, 'hr-HR': `${word} hr` })
const scripts = { 'en-US': ['/assets/main-1.js', '/assets/en-1.js'], 'sl-SI': ['/assets/sl-1.js'], 'hr-HR': [] }
const page = (pattern: string, needs: PlannedPage['needs'], more: Partial<PlannedPage> = {}): PlannedPage => ({
  pattern,
  needs,
  prerendered: needs === 'nobody',
  titles: words(`title of ${needs}`),
  html: words(`<h1>${needs}</h1>`),
  scripts,
  phrases: { 'en-US': [], 'sl-SI': [], 'hr-HR': [] },
  ...more,
})
const plan: PagePlan = {
  pages: [
    page('^/login/?$', 'nobody', { role: 'login', query: { register: 'true' }, html: words('<h1>sign-up</h1>') }),
    page('^/login/?$', 'nobody', { role: 'login' }),
    page('^/register/?$', 'nobody', { redirect: '/login?register=true' }),
    page('^/oauth/?$', 'session', { popup: true, role: 'consent' }),
    page('^/home/?$', 'session'),
    page('^/vrata/?$', 'session', { titles: { 'en-US': 'Vrata', 'sl-SI': 'Vrata', 'hr-HR': 'Vrata' } }),
    page('^/verify/?$', 'session', { role: 'verify' }),
    page('^/reset/?$', 'nobody', {
      html: words(
        '<form><noscript data-problem=""><p>{problem}</p></noscript><input name="email"><input name="password"></form>',
      ),
    }),
    page('^/asked/?$', 'nobody', {
      html: words(
        `<h1>for</h1><noscript data-requesting-app=""><span><span data-app="icon" class="flex"><span><img src="/{icon}"></span></span><b>{name}</b><span><a href="{privacy_policy_url}" data-app="privacy_policy_url">Privacy</a><a href="{terms_of_service_url}" data-app="terms_of_service_url">Terms<span> (new)</span></a></span></span></noscript>`,
      ),
    }),
    page('^/developers(?:/(?<id>[^/]+))?/applications/(?<app>[^/]+)/?$', 'member', {
      redirect: '/developers/{-$id}/applications/$app/details',
    }),
  ],
  missing: page('^/missing$', 'nobody', { html: words('<h1>This page doesn’t exist</h1>') }),
  frame: Object.fromEntries(
    ['en-US', 'sl-SI', 'hr-HR'].map((locale) => [locale, { failed: 'failed', noscript: `noscript ${locale}` }]),
  ) as PagePlan['frame'],
  css: 'body{color:red}',
  early: 'early()',
  entry: '/assets/main-1.js',
  fonts: { 'en-US': ['/assets/latin-1.woff2'], 'sl-SI': [], 'hr-HR': [] },
}

/** The `visitor` cookie of these tests selects the user. */
const visitors: Record<string, PageUser> = {
  ana: { user: { first_name: '</script><b>', email: 'ana@example.com' } as UserInfo, refresh: false },
  expired: { user: null, refresh: true },
  strict: { user: null, refresh: false, policy: { ...DEFAULT_POLICY, password_min_length: 20 } },
  asked: {
    user: null,
    refresh: false,
    continue_to: {
      name: '<b>$&Burja',
      icon: 'burja-1',
      privacy_policy_url: 'https://burja.example/privacy?a="&b',
      terms_of_service_url: null,
    },
  },
  asked_plainly: {
    user: null,
    refresh: false,
    continue_to: { name: 'Bor', icon: null, privacy_policy_url: null, terms_of_service_url: 'https://bor.example/' },
  },
}

/** Branding and policy of the installation. */
let look: branding.PublicBranding = {}
let offered: { languages: Locale[]; default_language: Locale } = { languages: [...LOCALES], default_language: 'en-US' }

let app: FastifyInstance
let dist: string
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'vrata-pages-'))
  await mkdir(join(dist, 'client/assets'), { recursive: true })
  await writeFile(join(dist, 'pages.json'), JSON.stringify(plan))
  await writeFile(join(dist, 'client/assets/main-1.js'), 'script()')
  await writeFile(join(dist, 'client/assets/main-1.js.br'), 'packed')
  await writeFile(join(dist, 'client/assets/late-1.js'), 'late()')
  await writeFile(join(dist, 'client/favicon.svg'), '<svg/>')
  await writeFile(join(dist, 'client/sign-in.js'), 'button()')
  await writeFile(join(dist, 'client/sign-in.js.br'), 'packed button')
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ status: 'error' }))
  await mountPages(app, {
    dist,
    url: 'https://vrata.example',
    secure: true,
    api_url: 'https://api.vrata.example',
    async visitor(request) {
      const who = /who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
      if (who === 'database_down') throw new Error('away')
      return visitors[who] ?? { user: null, refresh: false }
    },
    branding: { now: () => offered, public: () => look },
    cookies: ({ headers }) => (headers.cookie?.includes('device=') ? [] : ['device=new; HttpOnly']),
  })
})
afterAll(async () => {
  await app.close()
  await rm(dist, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const boot = (html: string) => JSON.parse(/<script id="boot"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? '')

describe('a page (pages §5)', () => {
  test.each([
    ['the cookie', { cookie: 'language=hr-HR', 'accept-language': 'sl' }, 'hr-HR'],
    ['the browser', { 'accept-language': 'de, sl;q=0.8, en;q=0.5' }, 'sl-SI'],
    ['nothing', {}, 'en-US'],
  ])('takes its language from %s', async (_, headers, locale) => {
    const answer = await get('/login', headers as Record<string, string>)
    expect(answer.body).toContain(`<html lang="${locale}">`)
    expect(boot(answer.body).locale).toBe(locale)
    expect(answer.headers.vary).toContain('Accept-Language')
  })

  test('uses the language that a client requests, unless one was chosen', async () => {
    const asked = '/login?ui_locales=de+hr'
    expect(boot((await get(asked, { 'accept-language': 'sl' })).body).locale).toBe('hr-HR')
    expect(boot((await get(asked, { cookie: 'language=sl-SI' })).body).locale).toBe('sl-SI')
    expect(boot((await get('/login?ui_locales=de', { 'accept-language': 'sl' })).body).locale).toBe('sl-SI')
  })

  test('contains texts, styles and preloads in one document', async () => {
    const { body, headers } = await get('/login')
    expect(body).toContain('<style>body{color:red}</style>')
    expect(body).toContain('<link rel="modulepreload" href="/assets/en-1.js">')
    expect(body).toContain('data-prerendered=""><h1>nobody</h1>')
    expect(boot(body)).toEqual({ locale: 'en-US', api_base: 'https://api.vrata.example', user: null, refresh: false })
    expect(headers['cache-control']).toBe('no-store')
  })

  test('shows the step that the query names', async () => {
    const { body } = await get('/login?redirect=%2Fhome&register=true')
    expect(body).toContain('data-prerendered="register=true"><h1>sign-up</h1>')
    for (const register of ['register', 'register=', 'register=1'])
      expect((await get(`/login?${register}`)).body).toContain('<h1>sign-up</h1>')
    expect((await get('/login')).body).toContain('<h1>nobody</h1>')
  })

  test('contains the user as escaped JSON', async () => {
    const { body } = await get('/home', { cookie: 'who=ana' })
    expect(boot(body).user.first_name).toBe('</script><b>')
    expect(body).not.toContain('</script><b>')
    expect(body).toContain('noscript en-US')
  })

  test('fills a form that was rejected with what was entered, escaped and once', async () => {
    const entered = new URLSearchParams({ email: '"><b>ana@example.com', password: 'secret' }).toString()
    const cookie = `__Host-vrata_entered=${encodeURIComponent(entered)}`
    const wrong = await get('/reset?problem=invalid_credentials', { cookie })
    expect(wrong.body).toContain(
      '<input name="email" value="&quot;&gt;&lt;b&gt;ana@example.com"><input name="password">',
    )
    expect(wrong.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-vrata_entered=; Max-Age=0; .*HttpOnly/),
    ])
    const later = await get('/reset', { cookie })
    expect(later.body).toContain('<input name="email"><input name="password">')
    expect(later.headers['set-cookie']).toBeUndefined()
  })

  test('shows without script the problem of the form that was posted last', async () => {
    const form = (body: string) => /<form>(.*)<input name="email"/.exec(body)?.[1]
    const wrong = await get('/reset?problem=invalid_credentials', { 'accept-language': 'sl' })
    expect(form(wrong.body)).toBe(
      '<noscript data-problem=""><p>E-\u2060naslov ali geslo ni pravilno. Preverite oboje in poskusite znova.</p></noscript>',
    )
    for (const url of ['/reset', '/reset?problem=<script>', '/reset?problem=toString']) {
      expect(form((await get(url)).body)).toBe('<noscript data-problem=""></noscript>')
    }
  })

  test('says without script why an account is disabled, and how long a password is at least', async () => {
    const sentence = async (url: string, headers = {}) => /<p>(.*?)<\/p>/.exec((await get(url, headers)).body)?.[1]
    const kept = encodeURIComponent(new URLSearchParams({ reason: 'A <stolen> phone' }).toString())
    const disabled = '/reset?problem=account_disabled'
    expect(await sentence(disabled, { cookie: `__Host-vrata_entered=${kept}` })).toBe(
      'This account is disabled. A &lt;stolen&gt; phone',
    )
    expect(await sentence(disabled)).toBe('This account is disabled.')
    const short = '/reset?problem=password_too_short'
    expect(await sentence(short)).toBe('Password must be at least 12 characters long.')
    expect(await sentence(short, { cookie: 'who=strict' })).toBe('Password must be at least 20 characters long.')
  })

  test('names without script the app that requested the sign-in, with its logo and policies', async () => {
    const place = (body: string) => /<h1>for<\/h1>(.*?)<\/div>/.exec(body)?.[1]
    expect(place((await get('/asked')).body)).toBe('<noscript data-requesting-app=""></noscript>')
    expect(place((await get('/asked', { cookie: 'who=asked' })).body)).toBe(
      '<noscript data-requesting-app=""><span><span data-app="icon" class="flex"><span><img src="/v1/media/burja-1"></span></span><b>&lt;b&gt;$&amp;Burja</b><span><a href="https://burja.example/privacy?a=&quot;&amp;b" data-app="privacy_policy_url">Privacy</a></span></span></noscript>',
    )
    expect(place((await get('/asked', { cookie: 'who=asked_plainly' })).body)).toBe(
      '<noscript data-requesting-app=""><span><b>Bor</b><span><a href="https://bor.example/" data-app="terms_of_service_url">Terms<span> (new)</span></a></span></span></noscript>',
    )
  })

  test('redirects a browser without script to the plain consent page', async () => {
    const { body } = await get('/oauth?uid=a-1&client_id=b_2&scope=openid', { cookie: 'who=ana' })
    expect(body).toContain(
      '<noscript><meta http-equiv="refresh" content="0;url=/authorize/a-1/consent/b_2"></noscript>',
    )
    expect((await get('/oauth?uid=%22%3E&client_id=b', { cookie: 'who=ana' })).body).not.toContain(
      'http-equiv="refresh"',
    )
  })

  test('redirects a browser without script to the plain page that waits for the confirmation', async () => {
    const plainOf = async (query: string) =>
      /http-equiv="refresh" content="0;url=([^"]*)"/.exec(
        (await get(`/verify${query}`, { cookie: 'who=ana' })).body,
      )?.[1]
    expect(await plainOf('?redirect=%2Fauthorize%2Fa-1')).toBe('/verify/plain?redirect=%2Fauthorize%2Fa-1')
    for (const redirect of ['//evil.example', '"><script>', 'https://evil.example'])
      expect(await plainOf(`?${new URLSearchParams({ redirect })}`)).toBe('/verify/plain')
  })

  test('opens while the database is unavailable', async () => {
    const { statusCode, body } = await get('/home', { cookie: 'who=database_down' })
    expect(statusCode).toBe(200)
    expect(boot(body)).toMatchObject({ user: null, refresh: true })
  })

  test('is compressed, and cached without user data only', async () => {
    const br = { 'accept-encoding': 'gzip, br' }
    const nobody = await get('/login', br)
    expect(nobody.headers['content-encoding']).toBe('br')
    const ana = await get('/home', { ...br, cookie: 'who=ana' })
    expect(brotliDecompressSync(ana.rawPayload).toString()).toContain('ana@example.com')
    const again = await get('/login', br)
    const text = brotliDecompressSync(nobody.rawPayload).toString()
    expect(brotliDecompressSync(again.rawPayload).toString()).toBe(text)
    expect(text).not.toContain('ana@example.com')
    // The smallest one is made meanwhile, and then kept.
    const kept = async () => (await get('/login', br)).rawPayload
    await expect.poll(async () => (await kept()).length).toBeLessThan(nobody.rawPayload.length)
    expect(brotliDecompressSync(await kept()).toString()).toBe(text)
  })
})

test.each(['//', '//:x/', '//evil.test/login', '/\\\\evil.test'])(
  '%s is answered like any other address',
  async (url) => {
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers.location]).toEqual([404, undefined])
  },
)

describe('redirects of the page guard without script', () => {
  test.each([
    ['/login', 'ana', '/'],
    ['/login?redirect=%2Fhome', 'ana', '/home'],
    ['/login?redirect=https%3A%2F%2Fevil.test', 'ana', '/'],
    ['/home?a=1', '', '/login?redirect=%2Fhome%3Fa%3D1&skip=true'],
    ['/register?redirect=%2Fhome', '', '/login?redirect=%2Fhome&register=true'],
    ['/developers/jadro/applications/x', 'ana', '/developers/jadro/applications/x/details'],
    ['/developers/applications/x', 'ana', '/developers/applications/x/details'],
    ['/developers/a%2Fb/applications/x', 'ana', '/developers/a%2Fb/applications/x/details'],
    ['/.well-known/change-password', '', '/change-password'],
  ])('%s of "%s" goes to %s', async (url, who, to) => {
    const answer = await get(url, { cookie: `who=${who}` })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, to])
  })

  test('a page with expired access is sent, not redirected', async () => {
    expect((await get('/home', { cookie: 'who=expired' })).statusCode).toBe(200)
    expect((await get('/login', { cookie: 'who=expired' })).statusCode).toBe(200)
  })

  test('an unknown path is a page with status 404', async () => {
    const answer = await get('/nope')
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('This page doesn’t exist')
  })

  test('unknown calls are answered by the API', async () => {
    expect((await get('/v1/nope')).json()).toEqual({ status: 'error' })
    expect((await get('/.well-known/nope')).json()).toEqual({ status: 'error' })
  })
})

describe('headers of a page (security §3.4)', () => {
  test('a strict policy without inline script but the hashed one', async () => {
    const { headers } = await get('/login')
    const policy = headers['content-security-policy'] as string
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("connect-src 'self' https://api.vrata.example wss://api.vrata.example;")
    expect(policy).toContain("img-src 'self' data: https://api.vrata.example;")
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringMatching(/max-age=(3153|6307)\d+/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  test('authorization errors are shown without a session, the consent question is not', async () => {
    expect((await get('/oauth?error=invalid_client')).statusCode).toBe(200)
    expect((await get('/oauth?uid=1')).headers.location).toBe('/login?redirect=%2Foauth%3Fuid%3D1&skip=true')
  })

  test.each([
    ['/oauth?uid=1', 'unsafe-none'],
    ['/login?redirect=%2Fauthorize%3Fclient_id%3D1', 'unsafe-none'],
    ['/login?redirect=%2Fhome', 'same-origin'],
  ])('a popup keeps its opener during the sign-in to a client: %s', async (url, opener) => {
    const { headers } = await get(url, url.startsWith('/oauth') ? { cookie: 'who=expired' } : {})
    expect(headers['cross-origin-opener-policy']).toBe(opener)
  })
})

describe('a page of an installation with a look of its own', () => {
  const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const NOTHING = { languages: [...LOCALES], default_language: 'en-US' } as const

  test('has its name, colors, logo and icon, which the policy allows by their hash; without one nothing is added', async () => {
    const delivered = await get('/login')
    look = {
      name: 'Acme </title>',
      colors: { brand: ['#7a1fa2', '#d9a2f0'] },
      logo: 'aaaaaaaaaaaaaaaaaaaaaa.webp',
      logo_dark: 'bbbbbbbbbbbbbbbbbbbbbb.webp',
      support_url: 'https://acme.example/help',
    }
    try {
      const { body, headers } = await get('/home', { cookie: 'who=expired' })
      expect(body).toContain('<title>title of session</title>')
      const [, style = ''] = /<style id="branding">(.*?)<\/style>/.exec(body) ?? []
      expect(style).toContain('--color-brand:light-dark(#7a1fa2,#d9a2f0)')
      expect(style).toContain('url(https://api.vrata.example/v1/media/aaaaaaaaaaaaaaaaaaaaaa.webp?size=128)')
      expect(style).toContain('[data-theme=dark] .logo{background-image:url(https://api.vrata.example/v1/media/bbbb')
      expect(headers['content-security-policy']).toContain(sha256(style))
      expect(body).toContain(
        '<link rel="icon" href="https://api.vrata.example/v1/media/aaaaaaaaaaaaaaaaaaaaaa.webp?size=64"',
      )
      expect(boot(body).branding).toEqual({ name: look.name, support_url: look.support_url })
      expect((await get('/vrata', { cookie: 'who=expired' })).body).toContain('<title>Acme &lt;/title&gt;</title>')
    } finally {
      look = {}
    }
    const again = await get('/login')
    expect(again.body).toBe(delivered.body)
    expect(again.headers['content-security-policy']).toBe(delivered.headers['content-security-policy'])
    expect(again.body).not.toContain('branding')
  })

  test('has one of the offered languages, or the default one', async () => {
    offered = { languages: ['sl-SI', 'hr-HR'], default_language: 'hr-HR' }
    try {
      const languageOf = async (headers: Record<string, string>) =>
        (await get('/login', headers)).headers['content-language']
      expect(await languageOf({ cookie: 'language=en-US' })).toBe('hr-HR')
      expect(await languageOf({ cookie: 'language=en-US', 'accept-language': 'sl' })).toBe('sl-SI')
      expect(await languageOf({ 'accept-language': 'en, de' })).toBe('hr-HR')
    } finally {
      offered = { ...NOTHING, languages: [...LOCALES] }
    }
  })
})

describe('a built file', () => {
  test('is immutable and compressed', async () => {
    const answer = await get('/assets/main-1.js', { 'accept-encoding': 'br' })
    expect(answer.body).toBe('packed')
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await get('/assets/main-1.js')).body).toBe('script()')
    expect((await get('/favicon.svg')).headers['content-type']).toBe('image/svg+xml')
  })

  test('that cannot be read once is sent as soon as it can be read', async () => {
    const file = join(dist, 'client/assets/late-1.js')
    await rename(file, `${file}.away`)
    expect((await get('/assets/late-1.js')).statusCode).toBe(500)
    await rename(`${file}.away`, file)
    expect((await get('/assets/late-1.js')).body).toBe('late()')
  })

  test('for other sites has the name of the installation, which changes', async () => {
    const script = async () => (await get('/sign-in.js')).body
    expect(await script()).toBe('button()')
    expect((await get('/sign-in.js', { 'accept-encoding': 'br' })).body).toBe('packed button')
    try {
      for (const name of ['Acme "& Sons', 'Kras']) {
        look = { name }
        const named = `const INSTALLATION_NAME=${JSON.stringify(name)};\nbutton()`
        expect(await script()).toBe(named)
        const packed = await get('/sign-in.js', { 'accept-encoding': 'br' })
        expect(packed.headers['content-encoding']).toBe('br')
        expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(named)
      }
    } finally {
      look = {}
    }
    expect(await script()).toBe('button()')
  })

  test.each(['/assets/nope.js', '/assets/..%2Fpages.json', '/assets/..%2f..%2fpages.json', '/pages.json'])(
    'no other file can be reached: %s',
    async (url) => expect((await get(url)).statusCode).toBe(404),
  )
})

test('the login page sets the device cookie of a browser without one', async () => {
  const marked = async (url: string, cookie = '') =>
    (await app.inject({ url, headers: { cookie } })).headers['set-cookie'] ?? 'nothing'
  expect(await marked('/login')).toBe('device=new; HttpOnly')
  expect(await marked('/login', 'device=here')).toBe('nothing')
  expect(await marked('/home', 'who=ana')).toBe('nothing')
})
