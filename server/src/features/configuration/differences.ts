import type { branding, configuration, policy } from '@vrata/contract'
import type { PictureChange } from './pictures.ts'
import type { GroupPlan } from './plan-groups.ts'

type Value = configuration.Change['from']
type Settings = { [name: string]: Value | Settings | undefined }

/** Settings that differ, by path, in the order of the document. */
export function differences(path: string, before: Settings, after: Settings): configuration.Change[] {
  const [old, next] = [leaves(path, before), leaves(path, after)]
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((name) => {
    const [from, to] = [old.get(name) ?? null, next.get(name) ?? null]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path: name, from, to }]
  })
}

function leaves(path: string, settings: Settings): Map<string, Value> {
  return new Map(
    Object.entries(settings).flatMap(([name, value]): (readonly [string, Value])[] => {
      const at = `${path}.${name}`
      if (value === undefined) return []
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return [[at, value]]
      return [...leaves(at, value)]
    }),
  )
}

/** Changes of the policy by a document, one entry per setting. */
export function policyChanges(before: policy.Policy, after: policy.Policy): configuration.Change[] {
  return differences('policy', before, after)
}

/** `pictures` has the changed pictures, whose names differ in both. */
export function brandingChanges(
  before: branding.Branding,
  after: branding.Branding,
  pictures: readonly PictureChange[],
): configuration.Change[] {
  return [
    ...differences('branding', withoutPictures(before), withoutPictures(after)),
    ...pictures.map(({ name, from, to }) => ({ path: `branding.${name}`, from, to })),
  ]
}

function withoutPictures({
  logo: _,
  logo_dark: __,
  icon: ___,
  accent_colors: ____,
  ...rest
}: branding.Branding): Settings {
  return rest
}

/** Changes of a group by a document: its texts, then members by address. */
export function groupChanges({ key, before, after, added, removed }: GroupPlan): configuration.Change[] {
  const path = `groups.${key}`
  return [
    ...differences(path, { name: before?.name, description: before?.description ?? '' }, after),
    ...removed.map(({ email }) => ({ path: `${path}.members`, from: email, to: null })),
    ...added.map(({ email }) => ({ path: `${path}.members`, from: null, to: email })),
  ]
}
