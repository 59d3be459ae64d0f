import type { Locale, privacy } from '@vrata/contract'
import { type PhraseFile, type PhraseKey, translator } from '@vrata/phrases'
import { formatsAt } from '@vrata/phrases/format'
import escapeHtml from 'escape-html'

/** First rows of a part, and the number of all rows. */
export interface ArchiveSection {
  part: privacy.ArchivePart
  rows: readonly object[]
  count: number
}

type ArchiveInfo = { locale: Locale; name: string | null; made_at: Date; pictures: ReadonlyMap<string, string> }

/** Index page of an archive. It runs no script and fetches nothing. */
export function archivePage(
  { locale, name, made_at, pictures }: ArchiveInfo,
  parts: readonly ArchiveSection[],
): string {
  const say = translator(locale, name)
  const { date, dateTime, number, country, language } = formatsAt(locale, made_at.getTime())
  const cell = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–'
    if (Array.isArray(value)) return value.map(cell).join(', ') || '–'
    return escapeHtml(typeof value === 'number' ? number(value) : String(value))
  }
  /** Name of a field's value on the pages; the value itself where it has none. */
  const words = (field: string, value: string): string => {
    // Decided by the field, because the name of an app may look like a time.
    if (field.endsWith('_at')) return `${dateTime(value)} UTC`
    if (field === 'country_code') return country(value)
    if (field === 'language') return language(value)
    if (field === 'birth_date') return date(value)
    const key = `${NAMES[field]}${value}` as PhraseKey
    // A missing sentence is its key.
    const said = field in NAMES ? say(key, { app: 'none', service: 'none' }) : key
    return said === key ? value : said
  }
  const said = ([field, value]: [string, unknown], row: object): string => {
    if (field.startsWith('allow_')) return escapeHtml(say(value ? 'audit.yes' : 'audit.no'))
    const named = field === 'name' && 'kind' in row && row.kind === 'event' ? 'event' : field
    const one = (item: unknown) => (typeof item === 'string' && item ? words(named, item) : item)
    return cell(Array.isArray(value) ? value.map(one) : one(value))
  }
  const label = (name: string) => escapeHtml(say(`archive.field.${name}` as PhraseKey))
  const section = ({ part, rows, count }: ArchiveSection) => {
    const names = Object.keys(rows[0] ?? {})
    const title = `<h2 id="${part}">${escapeHtml(say(`archive.part.${part}`))}</h2>`
    const file = `<p><a href="${part}.json">${part}.json</a> · ${escapeHtml(say('archive.rows', { count }))}</p>`
    if (rows.length === 0) return `<section>${title}${file}</section>`
    const head = names.map((name) => `<th scope="col">${label(name)}</th>`).join('')
    const body = rows.map(
      (row) =>
        `<tr>${Object.entries(row)
          .map((field) => `<td>${said(field, row)}</td>`)
          .join('')}</tr>`,
    )
    const table =
      rows.length === 1
        ? `<dl>${rows
            .flatMap((row) => Object.entries(row).map((field) => ({ field, row })))
            .map(({ field, row }) => `<dt>${label(field[0])}</dt><dd>${said(field, row)}</dd>`)
            .join('')}</dl>`
        : `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
    const more = rows.length < count ? `<p>${escapeHtml(say('archive.more', { shown: rows.length }))}</p>` : ''
    return `<section>${title}${file}${table}${more}</section>`
  }
  const images = [...pictures.keys()].map(
    (name) => `<p><img src="${escapeHtml(name)}" alt="" width="128" height="128"></p>`,
  )
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:">
<title>${escapeHtml(say('archive.title'))}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeHtml(say('archive.title'))}</h1><p>${escapeHtml(say('archive.about', { when: date(made_at, 'long') }))}</p>${images.join('')}
${parts.map(section).join('\n')}
</main></body></html>
`
}

/** Start of the keys of the phrases for the values of fields. */
const NAMES: Record<string, `${PhraseFile}.${string}`> = {
  kind: 'archive.kind.',
  type: 'activity.',
  event: 'audit.',
  permission: 'menu.level.',
  methods: 'security.method.',
  gender: 'account.gender.',
}
const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/24px system-ui,sans-serif;background:light-dark(#f3f8f7,#071316);color:light-dark(#0f2224,#ecf1f1)}
main{max-width:960px;margin:0 auto;padding:32px 16px 64px}h1{font-size:32px;line-height:38px}h2{margin:0 0 4px;font-size:19px}section{background:light-dark(#fff,#0e1c1f);border:1px solid light-dark(#d9e2e1,#233234);border-radius:18px;padding:20px 24px;margin-top:16px}
a{color:light-dark(#006867,#62d4c9)}.wide{overflow-x:auto}table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:6px 16px 6px 0;border-top:1px solid light-dark(#d9e2e1,#233234)}dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px}dd{margin:0;overflow-wrap:anywhere}@media(max-width:30rem){dl{display:block}dd{margin:0 0 12px}}dt,th{color:light-dark(#4d5f61,#a5b3b2);font-weight:400}img{border-radius:50%}`
