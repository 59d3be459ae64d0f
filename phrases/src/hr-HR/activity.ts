import type { activity as english } from '../en-US/activity.ts'

export const activity: Record<keyof typeof english, string> = {}
