import type { Access, AccessMode } from '@vrata/contract/client-access'
import * as clientAccess from '@vrata/contract/client-access'
import { mergedList } from '../../../lib/api/changed-from.ts'
import type { useI18n } from '../../../lib/i18n.tsx'
import type { DialogFieldOptions } from '../../../ui/dialog/show-dialog.ts'
import type { SubmitErrors } from '../../../ui/form/form.tsx'

type Translate = Pick<ReturnType<typeof useI18n>, 't'>

/** Fields of a dialog that asks who may use an app. Their phrases are those of `clients`. */
export function accessFields({ t }: Translate, { mode, groups, people }: Access): DialogFieldOptions[] {
  return [
    {
      kind: 'select',
      name: 'mode',
      label: t('clients.access.title'),
      value: mode,
      options: clientAccess.ACCESS_MODES.map((value) => ({ value, label: t(`clients.access.${value}`) })),
    },
    {
      kind: 'text',
      name: 'groups',
      label: t('clients.access.keys'),
      hint: t('clients.access.keys_hint'),
      value: groups.join(', '),
      shownFor: { select: 'mode', value: 'groups' },
    },
    {
      kind: 'multiline',
      name: 'people',
      label: t('clients.access.addresses'),
      hint: t('clients.access.addresses_hint'),
      value: people.join('\n'),
      shownFor: { select: 'mode', value: 'people' },
    },
  ]
}

/** The chosen access rule. The list of another mode is empty. */
export function accessOf({ mode, groups, people }: Record<string, string>): Access {
  return {
    mode: mode as AccessMode,
    groups: mode === 'groups' ? wordsOf(groups) : [],
    people: mode === 'people' ? wordsOf(people) : [],
  }
}

/** The chosen access rule, with changes that others made to the lists since the dialog was opened. */
export function mergedAccess(opened: Access, chosen: Access, now: Access): Access {
  if (JSON.stringify(chosen) === JSON.stringify(opened)) return now
  if (chosen.mode !== now.mode) return chosen
  return {
    mode: chosen.mode,
    groups: mergedList(opened.groups, chosen.groups, now.groups),
    people: mergedList(opened.people, chosen.people, now.people),
  }
}

/** Errors on these fields: an entry of a list is reported as `people.0`, and below `access` by the calls of operators. */
export function accessErrors({ t }: Translate, unknown: boolean, { fields, ...errors }: SubmitErrors): SubmitErrors {
  const named = Object.entries(fields ?? {}).map(([path, message]) => [nameOf(path), message])
  const known = Object.fromEntries(named)
  return { ...errors, fields: unknown ? { ...known, groups: t('clients.access.keys_unknown') } : known }
}

function nameOf(path: string): string {
  const [first = path, second = path] = path.split('.')
  return first === 'access' ? second : first
}

function wordsOf(text = ''): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}
