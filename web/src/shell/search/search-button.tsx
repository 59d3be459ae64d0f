import { useHydrated } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { IconButton } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons/signed-in-icons.tsx'
import { loadSearch } from './search-host.tsx'
import { searchState } from './search-state.ts'

/** Opens the search; its code loads on hover or focus. */
export function SearchButton({ look }: { look: 'field' | 'icon' }) {
  const { t } = useI18n()
  const hydrated = useHydrated()
  const preload = () => void loadSearch().catch(() => {})
  const events = { onPointerEnter: preload, onFocus: preload, onClick: searchState.open }
  if (look === 'icon') {
    return (
      <IconButton label={t('ui.search')} aria-haspopup="dialog" {...events}>
        <SearchIcon />
      </IconButton>
    )
  }
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      {...events}
      className="mt-3 flex min-h-11 w-full items-center gap-3 rounded-control border border-edge bg-surface px-3 text-muted transition-colors duration-150 hover:text-ink"
    >
      <SearchIcon />
      <span className="grow text-left">{t('ui.search')}</span>
      <span aria-hidden="true" className="rounded-row border border-line px-1.5 font-mono text-small leading-5">
        {hydrated && isApple() ? '⌘K' : 'Ctrl K'}
      </span>
    </button>
  )
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}
