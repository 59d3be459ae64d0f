import type { developers as english } from '../en-US/developers.ts'

export const developers: Record<keyof typeof english, string> = {}
