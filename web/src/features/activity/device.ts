import type { Activity } from '@vrata/contract/activity'

/** "Chromium · Linux · Ljubljana"; empty when nothing is known. */
export function deviceOf({ browser, os, location }: Pick<Activity, 'browser' | 'os'> & { location?: string | null }) {
  return [browser, os, location].filter(Boolean).join(' · ')
}
