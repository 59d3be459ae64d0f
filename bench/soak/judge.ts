/** What is watched, with the metric of the server and how much more of it at the end is allowed. */
export const WATCHED = [
  {
    name: 'memory',
    unit: 'MB',
    metric: 'vrata_process_resident_memory_bytes',
    per: 1e6,
    of: median,
    share: 0.25,
    more: 40,
  },
  // The least is what is left after a collection of garbage.
  { name: 'heap', unit: 'MB', metric: 'vrata_nodejs_heap_size_used_bytes', per: 1e6, of: least, share: 0.25, more: 15 },
  { name: 'file handles', unit: '', metric: 'vrata_process_open_fds', per: 1, of: median, share: 0, more: 10 },
] as const
export type Sample = Record<(typeof WATCHED)[number]['name'], number>

/** The value in the second and in the last fifth of the time, and the largest one; in the first fifth a server warms up. */
export function growth(samples: readonly Sample[], name: keyof Sample): { early: number; late: number; most: number } {
  const values = samples.map((sample) => sample[name])
  const fifth = Math.max(1, Math.floor(values.length / 5))
  const of = WATCHED.find((one) => one.name === name)?.of ?? median
  const early = of(values.slice(fifth, 2 * fifth))
  const late = of(values.slice(-fifth))
  return {
    early: Math.round(early),
    late: Math.round(late),
    most: Math.round(values.reduce((most, one) => Math.max(most, one), 0)),
  }
}

/** One sentence for each figure that has grown by more than is allowed; a figure that is missing is wrong, too. */
export function judge(samples: readonly Sample[]): string[] {
  return WATCHED.flatMap(({ name, unit, share, more }) => {
    const { early, late } = growth(samples, name)
    if (Number.isNaN(early + late)) return [`${name}: not known`]
    const allowed = early + Math.max(more, early * share)
    return late > allowed ? [`${name} has grown from ${early} to ${late} ${unit}`.trim()] : []
  })
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function least(values: readonly number[]): number {
  return values.reduce((smallest, one) => Math.min(smallest, one), values[0] ?? Number.NaN)
}
