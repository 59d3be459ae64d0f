/**
 * The list of known passwords: the first bytes of the SHA-256 of each one of twelve or more characters, in lower case,
 * sorted. The server reads the file and pages fetch it; bundles have it beside them.
 */
export const PASSWORD_LIST = new URL('./common-passwords.bin', import.meta.url)
