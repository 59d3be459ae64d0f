import { generateKeyPairSync, type KeyObject, pbkdf2Sync, scryptSync, sign } from 'node:crypto'
import { median } from '../measure.ts'

const ROUNDS = 5
const DATA = Buffer.alloc(400, 7)

const signs = (key: KeyObject, hash: string | null) => () => sign(hash, DATA, key)

/** Computations that do not depend on the version of Vrata, with the microseconds that the machine of the goals needs (performance §1). The same Node has the same OpenSSL. */
function computations(): { name: string; goal: number; times: number; run: () => unknown }[] {
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  const memory = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 }
  return [
    { name: 'ES256 signature', goal: 17, times: 10_000, run: signs(p256, 'sha256') },
    { name: 'Ed25519 signature', goal: 23, times: 10_000, run: signs(ed25519, null) },
    { name: 'RS256 signature', goal: 226, times: 1_000, run: signs(rsa, 'sha256') },
    { name: 'ES384 signature', goal: 596, times: 400, run: signs(p384, 'sha384') },
    { name: 'PBKDF2', goal: 17_000, times: 5, run: () => pbkdf2Sync('password', 'salt', 150_000, 32, 'sha256') },
    { name: 'scrypt', goal: 62_600, times: 2, run: () => scryptSync('password', 'salt', 32, memory) },
  ]
}

/** CPU time that this machine needs for what the machine of the goals does in 1: below 1 it is quicker. */
export interface MachineSpeed {
  slower: number
  /** A sentence with each computation. */
  text: string
}

/** Measures for some five seconds. A virtual machine may be slower an hour later, so this is measured in each run. */
export function machineSpeed(): MachineSpeed {
  const measured = computations().map(({ name, goal, times, run }) => ({
    name,
    ratio: microseconds(times, run) / goal,
  }))
  const slower = median(measured.map(({ ratio }) => ratio))
  const each = measured.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(', ')
  return { slower, text: `This machine needs ${slower.toFixed(2)} times the CPU time of that of the goals: ${each}.` }
}

function microseconds(times: number, run: () => unknown): number {
  for (let n = 0; n < times / 2; n += 1) run()
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    for (let n = 0; n < times; n += 1) run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / times
  })
  return median(rounds)
}
