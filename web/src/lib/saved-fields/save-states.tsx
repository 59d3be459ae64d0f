import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'
import { useI18n } from '../i18n.tsx'

/** State of a field that saves itself. Undefined before the first change and while typing. */
export type SaveState = 'saving' | 'saved' | 'failed'

type SaveStates = {
  states: Readonly<Record<string, SaveState | undefined>>
  set(names: readonly string[], state: SaveState | undefined): void
}

const SaveStatesContext = createContext<SaveStates>({ states: {}, set: () => {} })

/** Save states of the fields of a page by name, with a live region that announces each change. */
export function SaveStatesProvider({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  const [states, setStates] = useState<SaveStates['states']>({})
  const [last, setLast] = useState<SaveState>()
  const set = useCallback((names: readonly string[], state: SaveState | undefined) => {
    setStates((before) => ({ ...before, ...Object.fromEntries(names.map((name) => [name, state])) }))
    setLast(state)
  }, [])
  return (
    <SaveStatesContext value={useMemo(() => ({ states, set }), [states, set])}>
      {children}
      <p role="status" className="sr-only">
        {last && t(`save-state.${last}`)}
      </p>
    </SaveStatesContext>
  )
}

export function useSetSaveState(): SaveStates['set'] {
  return use(SaveStatesContext).set
}

/** The state beside a field. The live region of the provider announces it to assistive technology. */
export function FieldSaveState({ name }: { name: string }) {
  const { t } = useI18n()
  const state = use(SaveStatesContext).states[name]
  if (!state) return null
  return (
    <span
      aria-hidden="true"
      className={classes(
        'flex shrink-0 items-center gap-1 text-small font-normal',
        state === 'failed' ? 'text-danger' : 'text-muted',
      )}
    >
      {state === 'saved' && <CheckIcon size={16} className="text-ok" />}
      {t(`save-state.${state}`)}
    </span>
  )
}
