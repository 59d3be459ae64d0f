import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { newcomer } from '../../../test/newcomer.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { pictures } from '../../ports/media/resize.ts'

let house: House
let folder: string
beforeAll(async () => {
  house = await openHouse()
  folder = await mkdtemp(join(tmpdir(), 'vrata-decoder-'))
})
afterAll(async () => {
  await house?.close()
  await rm(folder, { recursive: true, force: true })
})

/** What befalls the program that decodes, as a program in its place does it to itself (decision 0141). */
test.each([
  ['is killed', 'process.kill(process.pid, "SIGKILL")', 20_000, /ended with SIGKILL/],
  ['crashes', 'process.abort()', 20_000, /ended with SIGABRT/],
  [
    'runs out of memory',
    'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))',
    20_000,
    /heap out of memory/,
  ],
  ['hangs', 'process.stdin.resume(); setInterval(() => {}, 1000)', 1000, /ended with SIGKILL/],
])(
  '§3 a decoder that %s is told as a broken picture, and the next picture is shown',
  async (_, code, patience, cause) => {
    const program = join(folder, 'draw.mjs')
    await writeFile(program, code)
    const ana = await newcomer(house)
    const send = async () => ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })

    const own = house.deps.pictures.squares
    const failures: unknown[] = []
    const failing = pictures({ program, patience })
    house.deps.pictures.squares = (...input) =>
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

    house.deps.pictures.squares = own
    expect(await send()).toMatchObject({ ok: true, data: { profile_picture: expect.any(String) } })
  },
  30_000,
)
