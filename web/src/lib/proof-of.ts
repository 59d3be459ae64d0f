/** What somebody typed where a code of the app and a backup code are both welcome: six digits are the app's. */
export function proofOf(code: string): { otp_token: string } | { recovery_code: string } {
  const digits = code.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? { otp_token: digits } : { recovery_code: code.trim() }
}
