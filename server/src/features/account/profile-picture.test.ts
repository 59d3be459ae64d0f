import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { account, LIMITS, media, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bomb, fileOf, halves, inspectPicture, noise, rotatedPhoto } from '../../../test/pictures.ts'
import { registerUser, tabOf } from '../../../test/registered-user.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { prune } from '../media/public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

async function show(person: Caller, bytes: Uint8Array<ArrayBuffer>) {
  return await person.call(account.setProfilePicture, { profile_picture: fileOf(bytes) })
}

/** The name of a user's picture after an upload. */
async function shown(person: Caller, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const answer = await show(person, bytes)
  if (!answer.ok || !answer.data.profile_picture) throw new Error(`rejected: ${JSON.stringify(answer)}`)
  return answer.data.profile_picture
}

function look(file: string, query = '') {
  return server.browser().request({ method: 'GET', url: `/v1/media/${file}${query}`, headers: { origin: '' } })
}

async function pictureOf(person: Caller): Promise<string | null> {
  const answer = await person.call(account.getAccount)
  return answer.ok ? answer.data.profile_picture : null
}

describe('profile picture (product §3.10)', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('accepts a %s', async (kind) => {
    const ana = await registerUser(server)
    const file = await shown(ana, await halves(kind))
    const answer = await look(file)
    expect(await inspectPicture(answer.rawPayload)).toMatchObject({
      format: 'webp',
      width: 512,
      left: 'red',
      right: 'blue',
    })
  })

  describe('once uploaded', () => {
    let file: string
    beforeAll(async () => {
      file = await shown(await registerUser(server), await halves('png'))
    })

    test.each(media.PICTURE_SIZES)('is available %i pixels wide', async (size) => {
      const answer = await look(file, `?size=${size}`)
      expect(await inspectPicture(answer.rawPayload)).toMatchObject({ width: size, height: size })
    })
  })

  test('is rotated upright and has no metadata', async () => {
    const ana = await registerUser(server)
    const sent = await rotatedPhoto()
    expect((await inspectPicture(sent)).metadata).toBeGreaterThan(0)
    const answer = await look(await shown(ana, sent))
    expect(await inspectPicture(answer.rawPayload)).toMatchObject({ top: 'red', bottom: 'blue', metadata: 0 })
    expect(answer.rawPayload.includes('Kova')).toBe(false)
  })

  test('is cacheable by any site and runs no script', async () => {
    const ana = await registerUser(server)
    const { headers, statusCode } = await look(await shown(ana, await halves('png')))
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  test('has a random name; other names are not found', async () => {
    const ana = await registerUser(server)
    expect(await shown(ana, await halves('png'))).toMatch(/^[\w-]{22}\.webp$/)
    expect((await look('AAAAAAAAAAAAAAAAAAAAAA.webp')).statusCode).toBe(404)
    for (const name of ['..%2f..%2fsecret', '%2e%2e%2fvrata.sqlite', 'x.webp', 'AAAAAAAAAAAAAAAAAAAAAA.svg']) {
      expect((await look(name)).statusCode, name).toBe(400)
    }
    expect((await look('AAAAAAAAAAAAAAAAAAAAAA.webp', '?size=63')).statusCode).toBe(400)
  })

  test('replaces and removes a picture and its files', async () => {
    const ana = await registerUser(server)
    const first = await shown(ana, await halves('png'))
    const second = await shown(ana, await halves('gif'))
    expect(second).not.toBe(first)
    await expect.poll(async () => (await look(first)).statusCode).toBe(404)
    expect((await look(second)).statusCode).toBe(200)
    expect(await ana.call(account.removeProfilePicture)).toMatchObject({ data: { profile_picture: null } })
    await expect.poll(async () => (await look(second)).statusCode).toBe(404)
    expect(await ana.call(account.removeProfilePicture)).toMatchObject({ ok: true })
  })
})

describe('rejects and keeps the former picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const text = (words: string) => async () => Buffer.from(new TextEncoder().encode(words))
  const behind = (tail: string) => async () => Buffer.concat([await halves('jpeg'), Buffer.from(tail, 'latin1')])
  const zip = `PK\u0003\u0004${'x'.repeat(40)}PK\u0005\u0006${'\0'.repeat(18)}`
  const cases: [string, string, () => Promise<Buffer<ArrayBuffer>>][] = [
    ['an SVG', 'svg_refused', text(svg)],
    ['an SVG behind a comment', 'svg_refused', text(`<?xml version="1.0"?><!-- ${' '.repeat(500)} -->${svg}`)],
    ['a page', 'not_a_picture', text('<!doctype html><p>Dober dan')],
    ['a text', 'not_a_picture', text('GIF is a format')],
    ['a BMP', 'not_a_picture', text(`BM${'x'.repeat(100)}`)],
    ['a picture with a script behind it', 'polyglot', behind('<SCRIPT>alert(1)</SCRIPT>')],
    ['a picture with a program behind it', 'polyglot', behind('<?php system($_GET[0]);')],
    ['a picture that is an archive, too', 'polyglot', behind(zip)],
    ['a picture cut off in the middle', 'broken_picture', async () => (await noise()).subarray(0, 6000)],
    ['a name of a format and nothing behind it', 'broken_picture', text('GIF89a')],
    ['51 megapixels in a few bytes', 'too_many_pixels', () => bomb(8500, 6000)],
  ]
  let ana: Caller
  let before: string
  beforeAll(async () => {
    ana = await registerUser(server)
    before = await shown(ana, await halves('png'))
  })

  test.each(cases)('%s', async (_, code, make) => {
    const answer = await show(ana, await make())
    expect(answer).toMatchObject({
      http: 415,
      problem: { code: 'unsupported_media_type', fields: { profile_picture: code } },
    })
    expect(await pictureOf(ana)).toBe(before)
  })

  test('more than 10 MB, at the chunk that exceeds the limit', async () => {
    const ana = await registerUser(server)
    const answer = await show(ana, Buffer.alloc(LIMITS.picture_bytes + 1, 1))
    expect(answer).toMatchObject({ http: 413, problem: { fields: { profile_picture: 'too_big' } } })
    expect(await pictureOf(ana)).toBeNull()
  })

  test('no file, an empty one, two, another field, and a body that is not a form', async () => {
    const ana = await registerUser(server)
    const send = async (form: FormData | string, type?: string) => {
      const body = new Response(form)
      return await ana.request({
        method: 'PUT',
        url: '/v1/account/profile-picture',
        payload: Buffer.from(await body.arrayBuffer()),
        headers: { 'content-type': type ?? body.headers.get('content-type') ?? '' },
      })
    }
    const form = (...parts: [string, File | string][]) => {
      const made = new FormData()
      for (const [name, value] of parts) made.append(name, value)
      return made
    }
    const picture = fileOf(await halves('png'))
    const bodies: Parameters<typeof send>[] = [
      [form()],
      [form(['profile_picture', fileOf(Buffer.alloc(0))])],
      [form(['profile_picture', picture], ['profile_picture', picture])],
      [form(['logo', picture])],
      [form(['profile_picture', 'a word'])],
      ['not a form at all', 'multipart/form-data; boundary=x'],
      ['not a form at all', 'multipart/form-data'],
      ['{}', 'application/json'],
      ['x', 'image/png'],
    ]
    const outcomes = []
    for (const body of bodies) outcomes.push(await send(...body))
    expect(outcomes.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400, 400, 415, 415, 415])
    expect(await pictureOf(ana)).toBeNull()
  })

  test('a request without a session or from another site', async () => {
    const answer = await show(server.browser(), await halves('png'))
    expect(answer).toMatchObject({ http: 401 })
    const ana = await registerUser(server)
    const cross = await tabOf(server, ana).request({
      method: 'PUT',
      url: '/v1/account/profile-picture',
      headers: { origin: 'https://evil.example', 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--',
    })
    expect(cross.json()).toMatchObject({ error: { code: 'cross_site' } })
  })

  test('the twenty-first upload within an hour', async () => {
    const ana = await registerUser(server)
    const picture = await halves('png', { width: 8, height: 8 })
    for (let sent = 0; sent < LIMITS.uploads_per_hour; sent += 1) {
      expect((await show(ana, sent % 5 === 4 ? picture : Buffer.from('no picture'))).ok).toBe(sent % 5 === 4)
    }
    expect(await show(ana, picture)).toMatchObject({ http: 429, retry_after: 3600 })
    server.clock.advance(3601)
    await ana.call(sessions.refresh, {})
    expect((await show(ana, picture)).ok).toBe(true)
  })
})

test('queues ten concurrent uploads without rejecting any', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => registerUser(server)))
  const bytes = await halves('png')
  const answers = await Promise.all(people.map((person) => show(person, bytes)))
  expect(answers.map(({ http }) => http)).toEqual(Array(10).fill(200))
})

test('ends with the session of an account that is deleted while its picture is being encoded', async () => {
  const ana = await registerUser(server)
  const { db } = server.store
  const uploads = db.selectFrom('pictures').select('file').where('user_id', '=', ana.user.id)
  const answer = show(ana, await halves('png'))
  while (!(await uploads.executeTakeFirst())) await setTimeout(1)
  await db.deleteFrom('users').where('id', '=', ana.user.id).execute()
  expect(await answer).toMatchObject({ http: 401, problem: { code: 'unauthenticated' } })
})

test('deletes unused pictures only', async () => {
  const ana = await registerUser(server)
  const bor = await registerUser(server)
  const kept = await shown(ana, await halves('png'))
  await show(bor, Buffer.from('no picture'))
  const dropped = await shown(bor, await halves('png'))
  await bor.call(account.removeProfilePicture)
  const files = () => readdir(`${server.config.data_dir}/media`)
  const isDropped = (name: string) => name.startsWith(dropped.replace('.webp', ''))
  await expect.poll(async () => (await files()).filter(isDropped)).toEqual([])
  // Simulates a process that has ended before it could delete them.
  await server.deps.media.put(
    dropped.replace('.webp', '-64.webp'),
    (async function* () {
      yield Buffer.from('left behind')
    })(),
  )
  server.clock.advance(2 * 60 * 60)
  expect(await prune(server.deps, 500)).toBeGreaterThanOrEqual(2)
  expect(await prune(server.deps, 500)).toBe(0)
  expect((await look(dropped, '?size=64')).statusCode).toBe(404)
  expect((await look(kept)).statusCode).toBe(200)
  expect((await files()).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a picture that cannot be deleted keeps no other unused picture', async () => {
  const rows = () => server.store.read.selectFrom('pictures').select('file').where('kept_at', 'is', null).execute()
  const people = await Promise.all([1, 2, 3].map(() => registerUser(server)))
  for (const person of people) await show(person, Buffer.from('no picture'))
  const [stuck] = await rows()
  // A folder in place of a file cannot be removed as one.
  const folder = join(server.config.data_dir, 'media', String(stuck?.file.replace('.webp', '-64.webp')))
  await mkdir(folder, { recursive: true })
  server.clock.advance(2 * 60 * 60)
  await expect(prune(server.deps, 500)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await rows()).toEqual([stuck])
  await rmdir(folder)
  expect(await prune(server.deps, 500)).toBe(1)
  expect(await rows()).toEqual([])
})
