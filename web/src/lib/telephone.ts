/** Calling codes (ITU-T E.164): +1 and +7 have one digit, these have two, all others three. */
const TWO_DIGITS = /^\+(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/**
 * A number as it is kept (`+38640123456`) in groups that can be read aloud: the calling code, then threes. How a country
 * itself would group it is in a table of a hundred kilobytes, which this is not worth.
 */
export function spacedNumber(number: string): string {
  const code = /^\+[17]/.exec(number)?.[0] ?? TWO_DIGITS.exec(number)?.[0] ?? number.slice(0, 4)
  const rest = number.slice(code.length)
  // No single digit stands alone: the last group takes it.
  const groups = rest.length % 3 === 1 ? /\B(?=(?:\d{3})*\d{4}$)/g : /\B(?=(?:\d{3})+$)/g
  return rest ? `${code} ${rest.replaceAll(groups, ' ')}` : number
}
