/** An address that its owner recognises and nobody else learns: `a•••@example.com`. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`
}
