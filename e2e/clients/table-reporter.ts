import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { DEFAULT_ALGORITHM, LIBRARIES, type Library } from './libraries.ts'
import { versionOf } from './versions.ts'

const COLUMNS = ['sign-in', 'name and email', 'renewal', 'sign-out', 'RS256', 'ES256', 'EdDSA'] as const
type Results = Partial<Record<(typeof COLUMNS)[number], string>>

/** Prints a table of the libraries and their steps at the end; a library that is not available with the reason. */
class TableReporter implements Reporter {
  readonly results = new Map<string, Results>()
  readonly reasons = new Map<string, string>()

  onTestEnd({ annotations, title, tags }: TestCase, { status, steps, annotations: added }: TestResult): void {
    const key = annotations.find(({ type }) => type === 'library')?.description
    const library = LIBRARIES.find((one) => one.key === key)
    if (!library) return
    const of = this.results.get(library.key) ?? {}
    this.results.set(library.key, of)
    if (status === 'skipped') {
      const reason = added.find(({ type }) => type === 'skip')?.description ?? 'for an unknown reason'
      this.reasons.set(library.key, reason)
      return
    }
    for (const { title, error } of steps) of[title as keyof Results] = error ? 'FAILED' : 'yes'
    const column = tags.includes('@algorithm') ? title.split(' ').at(-1) : DEFAULT_ALGORITHM
    of[column as keyof Results] = status === 'passed' ? 'yes' : 'FAILED'
  }

  onEnd(): void {
    const ran = LIBRARIES.filter(({ key }) => this.results.has(key))
    const rows = [['library', 'version', ...COLUMNS], ...ran.map((library) => this.row(library))]
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
    console.log(
      `\n${rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')}`,
    )
    for (const [key, reason] of this.reasons) console.log(`skipped: ${key}: ${reason}`)
  }

  private row(library: Library): string[] {
    const results = this.results.get(library.key) ?? {}
    const empty = this.reasons.has(library.key) ? 'skipped' : '–'
    return [library.name, versionOf(library), ...COLUMNS.map((column) => results[column] ?? empty)]
  }
}

export default TableReporter
