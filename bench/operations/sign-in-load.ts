/** W9: the rate of userinfo while others sign in with a password (performance §2). */
import type { Installation } from '../installation.ts'
import { measure, measureOperation } from '../measure.ts'
import type { Target } from '../targets.ts'
import { signIn, userinfo } from './workloads.ts'

/** Shares of the undisturbed rates that are wanted, and the 99th percentile of userinfo in ms on the machine of the goals. */
const GOAL = { userinfo: 0.4, sign_ins: 0.4, p99: 15 }
const READERS = { connections: 16 }
const SIGNING_IN = { connections: 8 }

export interface SignInLoad {
  /** Answers of userinfo per second, alone and while others sign in. */
  alone: number
  userinfo: number
  p99: number
  /** Sign-ins per second, and how many hashes one core can compute. */
  sign_ins: number
  hash_limit: number
  failed: number
}

/** One round. */
export async function measureSignInLoad(
  target: Target,
  installation: Installation,
  seconds: number,
): Promise<SignInLoad> {
  const alone = await measure(target, installation, userinfo, { ...READERS, seconds })
  const limit = await measure(target, installation, signIn, { ...SIGNING_IN, seconds })
  const [read, sign] = [await userinfo(installation), await signIn(installation)]
  const [reads, signIns] = await Promise.all([
    measureOperation(target, read, { ...READERS, seconds }),
    measureOperation(target, sign, { ...SIGNING_IN, seconds }),
  ])
  return {
    alone: alone.per_second,
    userinfo: reads.per_second,
    p99: reads.p99,
    sign_ins: signIns.per_second,
    hash_limit: 1000 / limit.pool_ms,
    failed: alone.failed + limit.failed + reads.failed + signIns.failed,
  }
}

/** A table row, and what falls short. `slower`: how many times as slow as the machine of the goals this one is. */
export function signInLoadRow(on: string, of: (pick: (one: SignInLoad) => number) => number, slower: number): string {
  const share = of((one) => one.userinfo / one.alone)
  const signIns = of((one) => one.sign_ins / one.hash_limit)
  const p99 = of((one) => one.p99)
  const short = [
    ...(share < GOAL.userinfo ? ['userinfo'] : []),
    ...(signIns < GOAL.sign_ins ? ['sign-ins'] : []),
    ...(p99 > GOAL.p99 * slower ? ['p99'] : []),
  ]
  const percent = (value: number) => `${Math.round(100 * value)} %`
  const cells = [
    on,
    of((one) => one.alone).toFixed(0),
    of((one) => one.userinfo).toFixed(0),
    percent(share),
    p99.toFixed(1),
    of((one) => one.hash_limit).toFixed(0),
    of((one) => one.sign_ins).toFixed(0),
    percent(signIns),
    of((one) => one.failed),
    short.join(', '),
  ]
  return `| ${cells.join(' | ')} |`
}

export const SIGN_IN_LOAD_HEAD = [
  `| W9 on | userinfo alone per second | while 8 connections sign in | share (goal ${100 * GOAL.userinfo} %) | p99 ms | hashes per second, one core | sign-ins per second | share (goal ${100 * GOAL.sign_ins} %) | failed | short of the goal |`,
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
].join('\n')
