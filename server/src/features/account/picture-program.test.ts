import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileOf, halves } from '../../../test/pictures.ts'
import { outputOf } from '../../../test/processes/output-of.ts'
import { RENDER_PICTURE } from '../../../test/processes/programs-under-test.ts'
import { registerUser } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pictures } from '../../adapters/media/resize.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'vrata-decoder-'))
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Milliseconds that no attempt takes. */
const LONG = 100_000

/** Failures of the decoding process, simulated by a substitute program (decision 0014). */
test.each([
  ['is killed', 'process.kill(process.pid, "SIGKILL")', LONG, /ended with SIGKILL/],
  ['crashes', 'process.abort()', LONG, /ended with SIGABRT/],
  [
    'runs out of memory',
    'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))',
    LONG,
    /heap out of memory/,
  ],
  ['hangs', 'process.stdin.resume(); setInterval(() => {}, 1000)', 1000, /ended with SIGKILL/],
])('reports a decoder that %s as a broken picture, and decodes the next one', async (_, code, patience, cause) => {
  const program = join(folder, 'draw.mjs')
  await writeFile(program, code)
  const ana = await registerUser(server)
  const send = async () => ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })

  const own = server.deps.pictures.squares
  const failures: unknown[] = []
  const failing = pictures({ program, patience })
  server.deps.pictures.squares = (...input) =>
    failing.squares(...input).catch((error) => {
      failures.push(error.cause)
      throw error
    })
  const answer = await send()
  expect(answer).toMatchObject({
    http: 415,
    problem: { code: 'unsupported_media_type', fields: { profile_picture: 'broken_picture' } },
  })
  expect(String(failures[0])).toMatch(cause)

  server.deps.pictures.squares = own
  expect(await send()).toMatchObject({ ok: true, data: { profile_picture: expect.any(String) } })
})

test('a picture that is sent while the server has no free file handle is refused, and the server continues', async () => {
  const resize = JSON.stringify(join(import.meta.dirname, '../../adapters/media/resize.ts'))
  const picture = (await halves('png')).toString('base64')
  const program = `import { closeSync, openSync } from 'node:fs'
    const { pictures } = await import(${resize})
    const { squares } = pictures({ program: ${JSON.stringify(RENDER_PICTURE)} })
    const send = () =>
      squares(Buffer.from('${picture}', 'base64'), { framing: 'filled', field: 'picture' }).then(({ size }) => size, ({ code }) => code)
    console.log(await send())
    const taken = []
    try {
      for (;;) taken.push(openSync('/dev/null'))
    } catch {}
    console.log(await send())
    for (const one of taken) closeSync(one)
    console.log(await send())
    process.exit()`
  expect(await outputOf(program, { handles: 200 })).toBe('4\nunavailable\n4\n')
})
