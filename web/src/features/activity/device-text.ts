import type { Activity } from '@vrata/contract/activity'

/** For example "Chromium · Linux · Ljubljana"; empty when unknown. */
export function deviceText({ browser, os, location }: Pick<Activity, 'browser' | 'os'> & { location?: string | null }) {
  return [browser, os, location].filter(Boolean).join(' · ')
}
