import { setImmediate as nextTurn } from 'node:timers/promises'
import { findSetting, upsertSetting } from '../../db/settings.ts'
import { fromJson, timeAfter, toJson, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import * as store from './store.ts'

/** Counts of an installation, and when they were made. */
export interface Figures {
  people: { all: number; new: number; active: number }
  organizations: number
  apps: number
  counted_at: string
}

type Deps = Pick<AppDeps, 'db' | 'clock' | 'transaction' | 'log'>

/** Setting with the last figures, which all servers share. */
const FIGURES = 'overview_figures'
/** Seconds for which stored figures are used. */
const FRESH = 10 * 60
/** Seconds since when a person is new or active. */
const MONTH = 30 * 24 * 60 * 60
/** Rows per query. */
const STEP = 1000
/** Milliseconds for which the first request waits when no figures are stored yet. */
const PATIENCE = 2000

/** Counts that this process is making, by its handle. */
const running = new WeakMap<AppDeps['db'], Promise<Figures | undefined>>()

/**
 * The stored figures. Old ones are counted again beside the request, in steps by primary key, so that no request waits for a
 * count of a big table (decision 0105). Undefined while they are counted for the first time and that takes long.
 */
export async function readFigures(app: Deps): Promise<Figures | undefined> {
  const stored = await findSetting(app.db, FIGURES)
  const figures = stored === undefined ? undefined : fromJson<Figures>(stored)
  if (figures && figures.counted_at > timeAfter(app.clock.now(), -FRESH)) return figures
  const counting = running.get(app.db) ?? begin(app)
  if (figures) return figures
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), PATIENCE)
  return await Promise.race([counting, late.promise]).finally(() => clearTimeout(timer))
}

function begin(app: Deps): Promise<Figures | undefined> {
  const counting = countFigures(app)
    .catch((err: unknown) => {
      app.log.warn({ err }, 'the figures of the overview could not be counted')
      return undefined
    })
    .finally(() => running.delete(app.db))
  running.set(app.db, counting)
  return counting
}

async function countFigures(app: Deps): Promise<Figures> {
  const now = app.clock.now()
  const since = timeAfter(now, -MONTH)
  const people = { all: 0, new: 0, active: 0 }
  await inSteps(async (after) => {
    const step = await store.countPeople(app.db, { after, since, limit: STEP })
    people.all += step.rows
    people.new += step.new
    people.active += step.active
    return step
  })
  const organizations = await inSteps((after) => store.countDevelopers(app.db, { after, limit: STEP }))
  const apps = await inSteps((after) => store.countClients(app.db, { after, limit: STEP }))
  const figures = { people, organizations, apps, counted_at: toTime(now) }
  await app.transaction(({ db }) => upsertSetting(db, FIGURES, toJson(figures)))
  return figures
}

/** Counts rows in steps, between which other work runs; resolves with their number. */
async function inSteps(count: (after: string) => Promise<store.Step>): Promise<number> {
  let rows = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const step: store.Step = await count(after)
    rows += step.rows
    after = step.rows === STEP ? step.last : undefined
    await nextTurn()
  }
  return rows
}
