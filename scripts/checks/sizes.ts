// Sizes of source files: median ≤ 60 lines, nine of ten ≤ 200, none above 300. Sizes of folders of code: at most 15 files besides
// tests (architecture §5.3).
import { dirname } from 'node:path'
import { repository, type Sources } from './repository.ts'

const LIMITS = { median: 60, p90: 200, cap: 300, folder: 15 }

const SOURCE = /^(contract|phrases|server|sign-in|web)\/src\/.+\.(tsx?|css)$/
const CODE = /^(contract|phrases|server|sign-in|web|testing|e2e|bench|scripts|examples)\//
const TEST = /\.(test|spec|conformance)\.tsx?$/
/** Tests, phrases, migrations and generated files have no size limit. */
const EXCLUDED = [TEST, /^phrases\/src\/[a-z]{2}-[A-Z]{2}\//, /\/migrations\//, /\/generated\//]
const FORBIDDEN = /(^|\/)(utils?|helpers?|common|shared|misc|core|base|manager|service)(\/|\.[a-z.]+$)/

/** Folders that are lists by themselves: the migrations in their order, and a file for each feature. */
const LISTS = [/^server\/src\/db\/migrations$/, /^contract\/src\/calls$/, /^phrases\/src\/[a-z]{2}-[A-Z]{2}$/]

/** Returns one sentence for each file, folder or statistic above its limit and for each forbidden name. */
export function checkSizes({ files, read }: Pick<Sources, 'files' | 'read'> = repository()): string[] {
  const sources = files.filter((file) => SOURCE.test(file))
  return [
    ...checkLines(sources, read),
    ...checkFolders(files),
    ...sources.filter((file) => FORBIDDEN.test(file)).map((file) => `${file}: the name does not say what is inside.`),
  ]
}

function checkLines(sources: readonly string[], read: Sources['read']): string[] {
  const sized = sources
    .filter((file) => !EXCLUDED.some((pattern) => pattern.test(file)))
    .map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines)
  const at = (share: number) => sized[Math.floor((sized.length - 1) * share)]?.lines ?? 0
  const says: string[] = []
  if (at(0.5) > LIMITS.median) says.push(`The median file has ${at(0.5)} lines; ${LIMITS.median} are allowed.`)
  if (at(0.9) > LIMITS.p90) says.push(`One file in ten has more than ${at(0.9)} lines; ${LIMITS.p90} are allowed.`)
  for (const { file, lines } of sized) {
    if (lines > LIMITS.cap) says.push(`${file} has ${lines} lines; split it by noun below ${LIMITS.cap}.`)
  }
  return says
}

function checkFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    if (!CODE.test(file) || TEST.test(file)) continue
    const folder = dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > LIMITS.folder && !LISTS.some((list) => list.test(folder)))
    .map(
      ([folder, count]) =>
        `${folder} has ${count} files besides tests; put those of one subject into a folder, so that at most ${LIMITS.folder} are left.`,
    )
}
