import type { LightMyRequestResponse } from 'fastify'
import type { TestServer } from '../test-server.ts'
import { CHANGES } from './changes.ts'
import { type Outcome, outcomeOf } from './compare.ts'
import type { Rows } from './rows.ts'
import { APPS_OF, GRANTS, prepare, type RawRequest, TIMES, type TokenCase } from './token-requests.ts'
import type { TwoNodes } from './two-nodes.ts'
import { VARIATIONS } from './variations.ts'

/** Answers of both nodes, and the number of native ones. */
export interface Compared {
  native: Outcome
  engine: Outcome
  nativeAnswers: number
}

export function nameOf({ grant, app, change, variation, times }: TokenCase): string {
  return [grant, app, change, variation, times].join(', ')
}

/** Both nodes answer a case from the same rows. */
export async function compare(nodes: TwoNodes, one: TokenCase, by: 'native' | 'engine'): Promise<Compared> {
  let present: Rows | undefined
  try {
    const prepared = await prepare(nodes, one.grant, nodes.apps[one.app], by)
    await CHANGES[one.change]?.(prepared, by)
    VARIATIONS[one.variation]?.(prepared)
    const before = await nodes.rows.read()
    const answered = nodes.native.logged().split('"native":true').length
    const outcomes: Outcome[] = []
    for (const node of [nodes.native, nodes.engine]) {
      if (present) await nodes.rows.restore(before, present)
      present = undefined
      await nodes.forget()
      const answers = await send(node, prepared.request, one.times)
      present = await nodes.rows.read()
      outcomes.push(outcomeOf(answers, before, present))
    }
    const [native, engine] = outcomes as [Outcome, Outcome]
    return { native, engine, nativeAnswers: nodes.native.logged().split('"native":true').length - answered }
  } finally {
    await nodes.rows.restore(nodes.start, present ?? (await nodes.rows.read()))
    await nodes.forget()
  }
}

async function send(
  node: TestServer,
  request: RawRequest,
  times: TokenCase['times'],
): Promise<LightMyRequestResponse[]> {
  const { method, url, headers, form } = request
  const text = new URLSearchParams(form).toString()
  const sent = request.payload ?? text
  const body = method === 'GET' ? { url: `${url}?${sent}` } : { url, payload: sent }
  const once = () => node.app.inject({ method, headers, ...body })
  if (times === 'once') return [await once()]
  if (times === 'twice') return [await once(), await once()]
  const raced = await Promise.all([once(), once(), once()])
  return raced.sort((a, b) => a.statusCode - b.statusCode)
}

/** Undefined when they agree; otherwise what only one of them has answered or changed. */
export function differenceOf({ native, engine }: Compared): string | undefined {
  const [natives, engines] = [linesOf(native), linesOf(engine)]
  if (natives.join() === engines.join()) return undefined
  const only = (lines: string[], others: string[]) => lines.filter((line) => !others.includes(line)).join('\n  ')
  return `native:\n  ${only(natives, engines)}\noidc-provider:\n  ${only(engines, natives)}`
}

function linesOf({ answers, changes }: Outcome): string[] {
  return [...answers, ...changes]
}

/** Every single change and variation of every grant, and each app. */
export function singleCases(): TokenCase[] {
  const cases: TokenCase[] = []
  for (const grant of GRANTS) {
    const apps = APPS_OF[grant]
    const right = { grant, change: 'nothing', variation: 'right', times: 'once' } as const
    for (const app of apps)
      cases.push({ ...right, app }, { ...right, app, times: 'twice' }, { ...right, app, times: 'raced' })
    for (const [i, variation] of Object.keys(VARIATIONS).entries()) {
      cases.push({ ...right, app: apps[i % 2] ?? 'plain', variation })
      cases.push({ ...right, app: apps[(i + 1) % 2] ?? 'plain', variation })
    }
    for (const [i, change] of Object.keys(CHANGES).entries()) {
      cases.push({ ...right, app: apps[0] ?? 'plain', change })
      cases.push({ ...right, app: apps[1 + (i % (apps.length - 1))] ?? 'plain', change })
    }
  }
  return cases
}

/** A random case: mostly right requests, whose answers have the most to compare. */
export function randomCase(random: () => number): TokenCase {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const grant = pick(GRANTS)
  const app = pick(APPS_OF[grant])
  const change = random() < 0.3 ? 'nothing' : pick(Object.keys(CHANGES))
  return {
    grant,
    app,
    // A native app cannot have pairwise subjects (api §6), and oidc-provider refuses a client that has both.
    change: app === 'pairwise' && change.startsWith('native app') ? 'nothing' : change,
    variation: random() < 0.5 ? 'right' : pick(Object.keys(VARIATIONS)),
    times: random() < 0.7 ? 'once' : pick(TIMES),
  }
}

/** Random numbers from 0 to 1 that follow from a seed (a linear congruential generator). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
