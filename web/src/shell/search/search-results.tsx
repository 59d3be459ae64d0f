import { useEffect } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { ExternalIcon } from '../../ui/icons/signed-in-icons.tsx'
import { type Entry, GROUPS } from './entries.ts'

type Props = {
  /** Prefix of the ids. */
  id: string
  found: readonly Entry[]
  active: number
  onActive: (index: number) => void
  onChoose: (entry: Entry) => void
}

/** Results by group. The field keeps the focus and points at the active option. */
export function SearchResults({ id, found, active, onActive, onChoose }: Props) {
  const { t } = useI18n()

  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  return (
    <div id={`${id}-found`} role="listbox" aria-label={t('ui.search')}>
      {GROUPS.map((group) => {
        const entries = found.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry.group === group)
        return (
          entries.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a group of options
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <p id={`${id}-${group}`} className="px-3 pt-3 pb-1 text-small font-semibold text-muted">
                {t(`search.group.${group}`)}
              </p>
              {entries.map(({ entry, index }) => (
                <Option
                  key={entry.key}
                  id={`${id}-${index}`}
                  entry={entry}
                  active={index === active}
                  onActive={() => onActive(index)}
                  onChoose={() => onChoose(entry)}
                />
              ))}
            </div>
          )
        )
      })}
    </div>
  )
}

type OptionProps = { id: string; entry: Entry; active: boolean; onActive: () => void; onChoose: () => void }

function Option({ id, entry, active, onActive, onChoose }: OptionProps) {
  const { t } = useI18n()
  const { icon: Sign, picture, label, text } = entry
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onActive}
      onClick={onChoose}
      className={classes(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-row px-3 py-2',
        active &&
          'bg-brand-soft forced-colors:outline-3 forced-colors:-outline-offset-3 forced-colors:outline-[color:Highlight]',
      )}
    >
      {picture ?? (Sign && <Sign className="text-muted" />)}
      <span className="min-w-0 grow">
        <span dir="auto" className="block text-left font-medium wrap-anywhere">
          {label}
        </span>
        {text && (
          <span dir="auto" className="line-clamp-2 text-left text-small wrap-anywhere text-muted">
            {text}
          </span>
        )}
      </span>
      {'newTab' in entry && entry.newTab && (
        <>
          <ExternalIcon size={18} className="text-muted" />
          <span className="sr-only">({t('ui.opens_new_tab')})</span>
        </>
      )}
    </div>
  )
}
