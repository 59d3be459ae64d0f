/** Input that accepts a TOTP code or a recovery code: six digits are a TOTP code. */
export function otpOrRecoveryCode(code: string): { otp_token: string } | { recovery_code: string } {
  const digits = code.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? { otp_token: digits } : { recovery_code: code.trim() }
}
