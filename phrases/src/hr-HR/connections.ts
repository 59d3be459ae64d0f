import type { connections as english } from '../en-US/connections.ts'

export const connections: Record<keyof typeof english, string> = {}
