import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Installation } from '../../installation.ts'
import { requestCode, requestToken } from '../../operations/workloads.ts'
import { SERVER, type VrataTarget } from '../../targets.ts'
import { type OneServerDrill, underLoad } from './one-server.ts'

const run = promisify(execFile)

const ROTATIONS = 3
/** Minutes for which an app keeps the keys that it has fetched, and between rotations. */
const KEPT = Number(process.env.KEPT_MINUTES ?? 10)
const BETWEEN = KEPT * 1.1
const APPS = 20
const VERIFICATIONS = 1000
/** The apps begin one after the other, so some of these have no keys yet. */
const ATTEMPTS = VERIFICATIONS * 1.2

/** An app that fetches the keys again only when they are too old, not for a key that it does not know. */
type Keys = { verify: ReturnType<typeof createLocalJWKSet>; fetched: number }

export const KEY_DRILLS: Record<string, OneServerDrill> = {
  'keys-rotated': {
    says: `the signing keys are rotated ${ROTATIONS} times, while apps keep old ones for ${KEPT} minutes (KEPT_MINUTES)`,
    async run() {
      const failures: string[] = []
      const kids = new Set<string>()
      let verified = 0
      const { figures, seen } = await underLoad({
        workers: 3,
        async damage(target, installation) {
          const kept: (Keys | undefined)[] = Array.from({ length: APPS })
          const minutes = BETWEEN * (ROTATIONS + 1)
          const began = performance.now()
          const passed = () => (performance.now() - began) / 60_000
          let rotated = 0
          for (let i = 0; passed() < minutes; i += 1) {
            if (rotated < ROTATIONS && passed() > BETWEEN * (rotated + 0.9)) {
              await rotateKeys(target)
              rotated += 1
            }
            const at = i % APPS
            // At the beginning the apps fetch one after the other, so that each has the keys of another time.
            const due = kept[at] ? passed() - kept[at].fetched > KEPT : passed() >= (at * KEPT) / APPS
            if (due) kept[at] = { verify: await keysOf(installation), fetched: passed() }
            const keys = kept[at]
            for (const token of keys ? await tokensOf(installation, i) : []) {
              const result = await jwtVerify(token, (keys as Keys).verify).catch((error: Error) => error)
              if (result instanceof Error) failures.push(result.message)
              else kids.add(result.protectedHeader.kid ?? '')
              verified += 1
            }
            await pause(Math.max(0, began + (i * minutes * 60_000) / ATTEMPTS - performance.now()))
          }
          return { rotations: rotated }
        },
      })
      const wanted = {
        'every token is verified': failures.length === 0 && verified >= VERIFICATIONS,
        'tokens are signed with new keys': kids.size > ROTATIONS,
        'no request fails': figures.failed + figures.refused === 0,
      }
      const counts = {
        verified,
        not_verified: failures.length,
        keys: kids.size,
        failures: [...new Set(failures)].join(),
      }
      return { figures, seen: { ...seen, ...counts }, wanted }
    },
  },
}

async function rotateKeys({ data }: VrataTarget): Promise<void> {
  await run(process.execPath, [SERVER, 'keys', 'rotate'], { env: { ...process.env, VRATA_DATA_DIR: data } })
}

async function keysOf({ url }: Installation) {
  return createLocalJWKSet((await (await fetch(`${url}/jwks`)).json()) as JSONWebKeySet)
}

/** An ID token, or the access token of a service, in turn with ES256 and RS256. */
async function tokensOf(installation: Installation, i: number): Promise<string[]> {
  const chosen = i % 4 < 2 ? installation : (installation.rsa ?? installation)
  const { url, app, service, service_scope } = chosen
  if (i % 2 === 0) {
    const { form } = await requestCode(chosen)
    const tokens = form && (await requestToken(url, form, app))
    return tokens ? [(tokens as unknown as { id_token: string }).id_token] : []
  }
  const tokens = await requestToken(url, { grant_type: 'client_credentials', scope: service_scope }, service)
  return tokens ? [tokens.access_token] : []
}
