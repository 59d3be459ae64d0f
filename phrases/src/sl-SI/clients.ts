import type { clients as english } from '../en-US/clients.ts'

export const clients: Record<keyof typeof english, string> = {}
