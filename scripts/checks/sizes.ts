// Sizes of source files: median ≤ 60 lines, nine of ten ≤ 200, none above 300 (architecture §5.3).
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMITS = { median: 60, p90: 200, cap: 300 }
const ROOT = join(import.meta.dirname, '../..')

/** Tests, phrases, migrations and generated files have no size limit. */
const EXCLUDED = [
  /\.(test|spec|conformance)\.tsx?$/,
  /^phrases\/src\/[a-z]{2}-[A-Z]{2}\//,
  /\/migrations\//,
  /\/generated\//,
]
const FORBIDDEN = /(^|\/)(utils?|helpers?|common|shared|misc|core|base|manager|service)(\/|\.[a-z.]+$)/

/** Returns one sentence for each file or statistic above its limit and for each forbidden name. */
export function checkSizes(): string[] {
  const files = globSync('{contract,phrases,server,sign-in,web}/src/**/*.{ts,tsx,css}', { cwd: ROOT })
  const sized = files
    .filter((file) => !EXCLUDED.some((pattern) => pattern.test(file)))
    .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines)
  const at = (share: number) => sized[Math.floor((sized.length - 1) * share)]?.lines ?? 0
  const says: string[] = []
  if (at(0.5) > LIMITS.median) says.push(`The median file has ${at(0.5)} lines; ${LIMITS.median} are allowed.`)
  if (at(0.9) > LIMITS.p90) says.push(`One file in ten has more than ${at(0.9)} lines; ${LIMITS.p90} are allowed.`)
  for (const { file, lines } of sized) {
    if (lines > LIMITS.cap) says.push(`${file} has ${lines} lines; split it by noun below ${LIMITS.cap}.`)
  }
  for (const file of files) {
    if (FORBIDDEN.test(file)) says.push(`${file}: the name does not say what is inside.`)
  }
  return says
}
