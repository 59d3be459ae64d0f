import type { home as english } from '../en-US/home.ts'

export const home: Record<keyof typeof english, string> = {}
