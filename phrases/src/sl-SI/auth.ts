import type { auth as english } from '../en-US/auth.ts'

export const auth: Record<keyof typeof english, string> = {}
