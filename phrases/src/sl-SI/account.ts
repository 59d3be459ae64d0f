import type { account as english } from '../en-US/account.ts'

export const account: Record<keyof typeof english, string> = {}
