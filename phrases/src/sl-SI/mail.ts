import type { mail as english } from '../en-US/mail.ts'

export const mail: Record<keyof typeof english, string> = {}
