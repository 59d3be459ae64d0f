import type { guide as english } from '../en-US/guide.ts'

export const guide: Record<keyof typeof english, string> = {}
