import { audit, branding, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { fileOf, halves, inspectPicture } from '../../../test/pictures.ts'
import { good } from '../../../test/second-factor.ts'
import { connectSocket } from '../../../test/sockets.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server?.close())

const DELIVERED = {
  name: null,
  accent: null,
  accent_colors: null,
  logo: null,
  logo_dark: null,
  icon: null,
  support_url: null,
  imprint_url: null,
  mail_from_name: null,
  mail_footer: {},
  sign_in_text: {},
  languages: ['en-US', 'sl-SI', 'hr-HR'],
  default_language: 'en-US',
}
const lastEvent = async () => good(await ana.call(audit.listAudit, { type: 'branding.changed', limit: 1 }))[0]
const shown = async (one = server) => good(await one.browser().call(branding.getPublicBranding))

describe('branding', () => {
  test('is as delivered at first, and pages then know nothing of it', async () => {
    expect(good(await ana.call(branding.getBranding))).toEqual(DELIVERED)
    expect(await shown()).toEqual({})
  })

  test('changes what is named; null and empty texts restore the rest, and the audit log has both values', async () => {
    const footer = { 'en-US': 'Acme Ltd, 1 Long Street', 'sl-SI': 'Acme, d. o. o.' }
    const first = good(
      await ana.call(branding.updateBranding, { name: ' Acme ', accent: '#7A1FA2', mail_footer: footer }),
    )
    expect(first).toMatchObject({ name: 'Acme', accent: '#7a1fa2', mail_footer: footer, support_url: null })
    expect((await lastEvent())?.changes).toEqual({
      name: [null, 'Acme'],
      accent: [null, '#7a1fa2'],
      'mail_footer.en-US': [null, footer['en-US']],
      'mail_footer.sl-SI': [null, footer['sl-SI']],
    })
    const second = good(
      await ana.call(branding.updateBranding, {
        accent: null,
        mail_footer: { 'en-US': '' },
        support_url: 'https://acme.example/help',
      }),
    )
    expect(second).toEqual({ ...DELIVERED, name: 'Acme', support_url: 'https://acme.example/help' })
    expect(good(await ana.call(branding.getBranding))).toEqual(second)
    expect((await lastEvent())?.changes).toMatchObject({
      accent: ['#7a1fa2', null],
      'mail_footer.en-US': [footer['en-US'], null],
    })
    const before = await lastEvent()
    good(await ana.call(branding.updateBranding, { name: 'Acme' }))
    expect(await lastEvent()).toEqual(before)
  })

  test('refuses new passwords that are hardly more than the name', async () => {
    good(await ana.call(branding.updateBranding, { name: 'Acme' }))
    const person = { email: 'nova@example.com', password: 'acme-2026-id' }
    expect(await server.browser().call(signIn.register, person)).toMatchObject({
      problem: { code: 'password_guessable', params: { reason: 'own' } },
    })
  })

  test('says where the chosen color had to be adjusted', async () => {
    const { accent_colors } = good(await ana.call(branding.updateBranding, { accent: '#ffeb3b' }))
    expect(accent_colors).toMatchObject({
      light: { adjusted: true, on_color: '#ffffff' },
      dark: { color: '#ffeb3b', adjusted: false },
    })
    expect(accent_colors?.light.color).not.toBe('#ffeb3b')
  })

  test.each([
    [{ name: '' }, { name: 'required' }],
    [{ name: 'a\nb' }, { name: 'invalid' }],
    [{ name: 'x'.repeat(61) }, { name: 'too_long' }],
    [{ accent: 'red' }, { accent: 'invalid' }],
    [{ accent: '#abc' }, { accent: 'invalid' }],
    [{ accent: '#12345g' }, { accent: 'invalid' }],
    [{ support_url: 'javascript:alert(1)' }, { support_url: 'invalid_url' }],
    [{ imprint_url: 'http://acme.example' }, { imprint_url: 'https_required' }],
    [{ sign_in_text: { 'en-US': 'x'.repeat(301) } }, { 'sign_in_text.en-US': 'too_long' }],
    [{ sign_in_text: { 'de-DE': 'Willkommen' } }, { 'sign_in_text.de-DE': 'unknown' }],
    [{ languages: [] }, { languages: 'too_short' }],
    [{ languages: ['sl-SI'] }, { default_language: 'invalid' }],
    [{ default_language: 'de-DE' }, { default_language: 'invalid' }],
    [{ logo: 'x.webp' }, { logo: 'unknown' }],
  ])('refuses %j by the name of its field, and changes nothing', async (input, fields) => {
    const before = good(await ana.call(branding.getBranding))
    const refused = await ana.call(branding.updateBranding, { ...input, mail_from_name: 'Never' } as never)
    expect(refused).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(good(await ana.call(branding.getBranding))).toEqual(before)
  })

  test('has pictures of its own addresses, which are replaced and removed', async () => {
    const set = async (file: Buffer<ArrayBuffer>) =>
      good(await ana.call(branding.setBrandingLogo, { logo: fileOf(file) })).logo as string
    const look = (file: string) => server.browser().request({ url: `/v1/media/${file}` })
    const first = await set(await halves('png'))
    const found = await look(first)
    expect(found.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': expect.stringMatching(/immutable/),
    })
    expect(await inspectPicture(found.rawPayload)).toMatchObject({ width: 512, left: 'red', right: 'blue' })
    await expect.poll(() => shown()).toMatchObject({ logo: first })
    const second = await set(await halves('webp'))
    await expect.poll(async () => (await look(first)).statusCode).toBe(404)
    expect((await lastEvent())?.changes).toEqual({ logo: [first, second] })
    expect(good(await ana.call(branding.removeBrandingLogo))).toMatchObject({ logo: null })
    await expect.poll(async () => (await look(second)).statusCode).toBe(404)
    const { icon } = good(await ana.call(branding.setBrandingIcon, { icon: fileOf(await halves('png')) }))
    const { logo_dark } = good(await ana.call(branding.setBrandingLogoDark, { logo_dark: fileOf(await halves('png')) }))
    await expect.poll(() => shown()).toMatchObject({ icon, logo_dark })
    good(await ana.call(branding.removeBrandingIcon))
    good(await ana.call(branding.removeBrandingLogoDark))
  })

  test('refuses files that are not pictures, with an error at their field', async () => {
    const svg = fileOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    const text = fileOf(Buffer.from('not a picture'))
    const torn = fileOf((await halves('png')).subarray(0, 60))
    const refused = { http: 415, problem: { code: 'unsupported_media_type' } }
    expect(await ana.call(branding.setBrandingLogo, { logo: svg })).toMatchObject({
      ...refused,
      problem: { fields: { logo: 'svg_refused' } },
    })
    expect(await ana.call(branding.setBrandingLogoDark, { logo_dark: text })).toMatchObject({
      ...refused,
      problem: { fields: { logo_dark: 'not_a_picture' } },
    })
    expect(await ana.call(branding.setBrandingIcon, { icon: torn })).toMatchObject({
      ...refused,
      problem: { fields: { icon: 'broken_picture' } },
    })
    expect(good(await ana.call(branding.getBranding))).toMatchObject({ logo: null, logo_dark: null, icon: null })
  })

  test('is shown as the database has it, also when a failover has lost the last changes', async () => {
    good(await ana.call(branding.updateBranding, { name: 'Lost' }))
    await expect.poll(() => shown()).toMatchObject({ name: 'Lost' })
    const { version } = await server.store.read.selectFrom('branding').select('version').executeTakeFirstOrThrow()
    for (const before of [version - 1, version]) {
      await server.store.db
        .updateTable('branding')
        .set({ name: `Kept ${before}`, version: before })
        .execute()
      await server.deps.branding.refresh()
      expect(await shown()).toMatchObject({ name: `Kept ${before}` })
    }
    good(await ana.call(branding.updateBranding, { name: null }))
  })

  test('is taken up by every server and told to open pages', async () => {
    const other = await server.secondNode()
    try {
      const bor = await other.as(people.bor)
      const page = await connectSocket(other, bor)
      good(await ana.call(branding.updateBranding, { name: 'Burja', languages: ['sl-SI'], default_language: 'sl-SI' }))
      await expect.poll(() => shown()).toMatchObject({ name: 'Burja', languages: ['sl-SI'] })
      // On SQLite the second process gets no signals, as a running server gets none of a command.
      if (testEngine === 'postgres') await page.receives('branding:changed')
      await expect.poll(() => shown(other)).toMatchObject({ name: 'Burja' })
    } finally {
      await other.close()
      good(await ana.call(branding.updateBranding, { languages: [...DELIVERED.languages] as never }))
    }
  })
})
