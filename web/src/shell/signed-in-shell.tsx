import { useLocation } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import type { ReactNode } from 'react'
import { useI18n } from '../lib/i18n.tsx'
import { classes } from '../ui/classes.ts'
import { Wordmark } from '../ui/icons/wordmark.tsx'
import { Link } from '../ui/navigation/link.tsx'
import { BrandLinks } from './branding/brand-links.tsx'
import { CONTENT, Frame } from './frame.tsx'
import { type ShellMode, Switcher } from './menu/account-switcher.tsx'
import { BottomBar } from './menu/bottom-bar.tsx'
import type { MenuEntry } from './menu/menu.ts'
import { Sidebar } from './menu/sidebar.tsx'
import { PageOutlet } from './page-outlet.tsx'
import { SearchButton } from './search/search-button.tsx'
import { SearchHost } from './search/search-host.tsx'

type Props = {
  mode: ShellMode
  entries: readonly MenuEntry[]
  /** The page has a second column. */
  wide?: boolean
  /** Above the page. */
  notice?: ReactNode
}

/** Sidebar from 1024 px; otherwise bars at the top and bottom. Content is aligned to the sidebar. */
export function SignedInShell({ mode, entries, wide, notice }: Props) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const menu = { mode, entries, path }
  const { brand } = useI18n()
  return (
    <div className="[--bar-height:4.25rem] lg:[--bar-height:0px]">
      <Frame
        signedIn
        header={
          <header className="flex flex-wrap items-center justify-between px-4 py-3 sm:px-6 lg:hidden">
            <Link href={paths.home} className="rounded-row p-2">
              <Wordmark name={brand.name} />
            </Link>
            <span className="flex items-center gap-1">
              <SearchButton look="icon" />
              <Switcher mode={mode} look="picture" />
            </span>
          </header>
        }
      >
        <div className="[--notice-height:2.25rem] peer-empty:[--notice-height:0px] lg:flex lg:pl-[clamp(0rem,calc(50vw-36rem),4rem)]">
          <Sidebar {...menu} />
          <main
            id={CONTENT}
            tabIndex={-1}
            className={classes(
              'mx-auto w-full min-w-0 px-4 pt-4 pb-[calc(var(--bar-height)+2rem)] sm:px-6 lg:mx-0 lg:px-10 lg:pt-11 lg:pb-16',
              mode === 'user' && !wide ? 'max-w-192 lg:max-w-200' : 'max-w-192 lg:max-w-350',
            )}
          >
            {notice}
            <PageOutlet className="space-y-6" />
            <BrandLinks />
          </main>
        </div>
        <BottomBar {...menu} />
        <SearchHost />
      </Frame>
    </div>
  )
}
