// Citations of the specification, the architecture page and decision records, and relative links in Markdown (architecture §7.1).
import { dirname, join } from 'node:path'
import { repository, type Sources } from './repository.ts'

const DOCUMENTS = 'product|api|protocol|security|design|pages|performance|operators'
const TEXT = /\.(tsx?|mjs|js|css|md|json|ya?ml|grit)$/
/** Generated files, history, and the test with wrong citations. */
const SKIPPED =
  /^(package-lock\.json|CHANGELOG\.md|docs\/reference\/openapi\.json|scripts\/checks\/citations\.test\.ts)$/

const NUMBER = String.raw`\d+(?:\.\d+)*`
/** `api §2.3`, and further numbers after it: `security §6.2.4, §6.2.11`. */
const CITATION = new RegExp(String.raw`(?<![\w/.-])(${DOCUMENTS}|architecture)((?:(?:,| and| to|) *§${NUMBER})+)`, 'gi')
const DECISION = /\bdecisions? +\d{4}(?:, *\d{4})*(?: +and +\d{4})?/gi
const LINK = /\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g
const OLD_FORMS = [
  /(?<![\w/.-])(?:api|security|design|performance|spec|examples)\.md`?,? *(?:§|"|ASVS|[FW]?\d)/g,
  /(?<![\w./-])(?:oidc|frontend)\.md\b/g,
  /\bspecification,? +\(?§/gi,
  /(?<![\w./-])oidc +§|\bfrontend +§/gi,
  /\bissue +\d+\b/gi,
  // A number without its document at the start of a test title.
  /(?<=['`])§\d+ /g,
]

/** Returns one line for each citation or link that leads nowhere, and for each that has an outdated form. */
export function checkCitations(sources: Sources = repository()): string[] {
  const sections = new Map<string, Set<string>>()
  for (const name of DOCUMENTS.split('|')) sections.set(name, sectionsOf(sources, `docs/specification/${name}.md`))
  sections.set('architecture', sectionsOf(sources, 'docs/architecture.md'))
  const records = new Set(sources.files.flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? []))

  return sources.files
    .filter((file) => TEXT.test(file) && !SKIPPED.test(file))
    .flatMap((file) => {
      const text = sources.read(file)
      const line = inOneLine(text)
      const report = ({ index, found, why }: Finding) => `${file}:${lineAt(text, index)} ${found}: ${why}`
      const findings = [...wrongSections(line, sections), ...wrongRecords(line, records), ...oldForms(line)]
      if (file.endsWith('.md')) findings.push(...deadLinks(text, file, sources))
      return findings.sort((a, b) => a.index - b.index).map(report)
    })
}

type Finding = { index: number; found: string; why: string }

function wrongSections(text: string, sections: Map<string, Set<string>>): Finding[] {
  return [...text.matchAll(CITATION)].flatMap(({ 1: name = '', 2: numbers = '', index }) =>
    [...numbers.matchAll(new RegExp(NUMBER, 'g'))]
      .filter(([number]) => !sections.get(name.toLowerCase())?.has(number))
      .map(([number]) => ({ index, found: `${name} §${number}`, why: 'no such section' })),
  )
}

function wrongRecords(text: string, records: Set<string>): Finding[] {
  return [...text.matchAll(DECISION)].flatMap(({ 0: found, index }) =>
    [...found.matchAll(/\d{4}/g)]
      .filter(([number]) => !records.has(number))
      .map(([number]) => ({ index, found: `decision ${number}`, why: 'no such record' })),
  )
}

function oldForms(text: string): Finding[] {
  return OLD_FORMS.flatMap((form) =>
    [...text.matchAll(form)].map(({ 0: found, index }) => ({
      index,
      found: found.trim(),
      why: 'outdated form; cite as docs/specification/README.md says',
    })),
  )
}

function deadLinks(text: string, file: string, { exists, read }: Sources): Finding[] {
  return [...withoutCode(text).matchAll(LINK)].flatMap(({ 1: target = '', index }) => {
    if (/^([a-z][a-z0-9+.-]*:|\/)/i.test(target)) return []
    const [path = '', anchor] = decodeURI(target.replace(/\?[^#]*/, '')).split('#')
    const found = path === '' ? file : join(dirname(file), path)
    if (path !== '' && !exists(found)) return [{ index, found: target, why: 'the link leads nowhere' }]
    if (!anchor || !found.endsWith('.md') || anchorsOf(read(found)).has(anchor)) return []
    return [{ index, found: target, why: 'no such heading' }]
  })
}

/** Anchors of the headings of a Markdown file, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  const headings = text.replace(/^```.*?^```/gms, '').matchAll(/^#{1,6} +(.+)$/gm)
  return new Set(
    [...headings].map(([, title = '']) => {
      const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
      const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
      const before = seen.get(anchor) ?? 0
      seen.set(anchor, before + 1)
      return before ? `${anchor}-${before}` : anchor
    }),
  )
}

/** Joins wrapped lines, without the marks of a comment and without moving anything: a citation may be wrapped. */
function inOneLine(text: string): string {
  return text.replace(/\n[ \t]*(?:\*|\/\/|>)?[ \t]*/g, (wrap) => ' '.repeat(wrap.length))
}

/** Blanks code without moving what follows it: a link in an example is none. */
function withoutCode(text: string): string {
  return text.replace(/^```.*?^```|`[^`\n]*`/gms, (code) => code.replace(/[^\n]/g, ' '))
}

/** Numbers of headings (`### 2.3 Title`) and of items that begin with bold numbers (`- **6.2.1–6.2.12, 15.3.2** …`). */
function sectionsOf({ files, read }: Sources, file: string): Set<string> {
  const numbers = new Set<string>()
  if (!files.includes(file)) return numbers
  const text = read(file)
  for (const [, number = ''] of text.matchAll(/^#{2,6} (\d+(?:\.\d+)*)\.? /gm)) numbers.add(number)
  for (const [, label = ''] of text.matchAll(/^(?:- )?\*\*([\d., –\n]+)\*\*/gm)) {
    for (const part of label.split(',')) for (const number of expanded(part.trim())) numbers.add(number)
  }
  return numbers
}

/** `6.2.1–6.2.3` as its three numbers. */
function expanded(range: string): string[] {
  const [first = '', last] = range.split('–')
  if (last === undefined) return [first]
  const parent = first.slice(0, first.lastIndexOf('.') + 1)
  const [from, to] = [first, last].map((number) => Number(number.slice(number.lastIndexOf('.') + 1)))
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => `${parent}${Number(from) + step}`)
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
