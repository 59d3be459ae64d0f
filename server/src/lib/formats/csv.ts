/** Spreadsheets need it to recognize UTF-8. */
export const BYTE_ORDER_MARK = '\u{feff}'

/** Formats a line of CSV (RFC 4180). */
export function csvLine(cells: string[]): string {
  return `${cells.map((cell) => `"${escapeFormulas(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * Prefixes values that a spreadsheet would run as a formula (security §1.2.10). Spreadsheets with Slovenian or Croatian
 * settings separate cells at semicolons even within quotes, so values after a semicolon are prefixed too.
 */
function escapeFormulas(cell: string): string {
  return cell.replace(/(^|[;,|\t\r\n])(?=\s*[=+\-@＝＋－＠\t\r])/g, "$1'")
}
