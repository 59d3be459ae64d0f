import { median } from '../measure.ts'

/**
 * What is watched, and by how much it may grow in ten minutes. `of`: the value of a part of the time; of the heap the least one, which
 * is what a collection of garbage leaves.
 */
export const WATCHED = [
  { name: 'memory', unit: 'MB', of: median, most: 1 },
  { name: 'heap after collections', unit: 'MB', of: least, most: 1 },
  { name: 'file handles', unit: '', of: median, most: 1 },
  { name: 'connections', unit: '', of: median, most: 1 },
] as const
export type Watched = (typeof WATCHED)[number]['name']
/** The values at one time, in minutes since the beginning. */
export type Sample = { minutes: number } & Record<Watched, number>

/** Parts of the time through whose values a line is fitted. */
const PARTS = 20

/** A line through what was seen after the first third of the time, in which a server warms up. */
export type Trend = {
  /** Values of the line at its beginning and end. */
  from: number
  to: number
  /** Growth in ten minutes, and the standard error of this figure. */
  slope: number
  error: number
}

export function trendOf(samples: readonly Sample[], name: Watched): Trend {
  const of = WATCHED.find((one) => one.name === name)?.of ?? median
  const settled = samples.slice(Math.floor(samples.length / 3))
  const points = Array.from({ length: PARTS }, (_, i) => {
    const part = settled.slice(Math.floor((i * settled.length) / PARTS), Math.floor(((i + 1) * settled.length) / PARTS))
    return { x: mean(part.map(({ minutes }) => minutes / 10)), y: of(part.map((sample) => sample[name])) }
  })
  const at = mean(points.map(({ x }) => x))
  const height = mean(points.map(({ y }) => y))
  const spread = sum(points.map(({ x }) => (x - at) ** 2))
  const slope = sum(points.map(({ x, y }) => (x - at) * (y - height))) / spread
  const valueAt = (x: number) => height + slope * (x - at)
  const rest = sum(points.map(({ x, y }) => (y - valueAt(x)) ** 2))
  const error = Math.sqrt(rest / (PARTS - 2) / spread)
  return { from: valueAt(points[0]?.x ?? 0), to: valueAt(points.at(-1)?.x ?? 0), slope, error }
}

/** One sentence for each figure that certainly grows by more than is allowed; a figure that is missing is wrong, too. */
export function judge(samples: readonly Sample[]): string[] {
  return WATCHED.flatMap(({ name, most }) => {
    const { slope, error } = trendOf(samples, name)
    if (Number.isNaN(slope)) return [`${name}: not known`]
    // Twice the standard error: noise alone exceeds it once in forty times.
    return slope - 2 * error > most ? [`${name}: ${sentenceOf(samples, name)}`] : []
  })
}

/** The trend in words, such as `from 299.1 to 299.9 MB, 0.6 ± 0.3 in ten minutes`. */
export function sentenceOf(samples: readonly Sample[], name: Watched): string {
  const { from, to, slope, error } = trendOf(samples, name)
  const unit = WATCHED.find((one) => one.name === name)?.unit
  const values = `from ${from.toFixed(1)} to ${to.toFixed(1)} ${unit}`.trim()
  return `${values}, ${slope.toFixed(2)} ± ${error.toFixed(2)} in ten minutes`
}

/** The value of each sixth of the whole time. */
export function sixthsOf(samples: readonly Sample[], name: Watched): string {
  const of = WATCHED.find((one) => one.name === name)?.of ?? median
  const values = samples.map((sample) => sample[name])
  const bound = (i: number) => Math.floor((i * values.length) / 6)
  return Array.from({ length: 6 }, (_, i) => Math.round(of(values.slice(bound(i), bound(i + 1))))).join(', ')
}

function least(values: readonly number[]): number {
  return values.reduce((smallest, one) => Math.min(smallest, one), values[0] ?? Number.NaN)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}
