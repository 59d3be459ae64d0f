/** Calling codes (ITU-T E.164): +1 and +7 have one digit, these have two, all others three. */
const TWO_DIGITS = /^\+(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/**
 * Formats `+38640123456` as calling code and groups of three digits. Formats by country would need a table of 100 KB.
 */
export function formatPhoneNumber(number: string): string {
  const code = /^\+[17]/.exec(number)?.[0] ?? TWO_DIGITS.exec(number)?.[0] ?? number.slice(0, 4)
  const rest = number.slice(code.length)
  // A remainder of one digit joins the last group.
  const groups = rest.length % 3 === 1 ? /\B(?=(?:\d{3})*\d{4}$)/g : /\B(?=(?:\d{3})+$)/g
  return rest ? `${code} ${rest.replaceAll(groups, ' ')}` : number
}
