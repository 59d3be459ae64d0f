import { useLocation } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { classes } from '../ui/classes.ts'
import { Link } from '../ui/link.tsx'
import { Wordmark } from '../ui/mark.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { CONTENT, Frame } from './frame.tsx'
import { PageOutlet } from './page-outlet.tsx'
import type { Place } from './places.ts'
import { Sidebar } from './sidebar.tsx'
import { type ShellMode, Switcher } from './switcher.tsx'

/** Sidebar from 1024 px; below that a bar at the top and one at the bottom. Content is left-aligned to the sidebar. */
export function SignedInShell({ mode, places }: { mode: ShellMode; places: readonly Place[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const menu = { mode, places, path }
  return (
    <div className="[--bar-height:4.25rem] lg:[--bar-height:0px]">
      <Frame signedIn>
        <div className="lg:flex lg:pl-[clamp(0rem,calc(50vw-36rem),4rem)]">
          <Sidebar {...menu} />
          <header className="flex items-center justify-between px-4 py-3 sm:px-6 lg:hidden">
            <Link href={paths.home} className="rounded-row p-2">
              <Wordmark />
            </Link>
            <Switcher mode={mode} look="picture" />
          </header>
          <main
            id={CONTENT}
            tabIndex={-1}
            className={classes(
              'mx-auto w-full min-w-0 px-4 pt-4 pb-[calc(var(--bar-height)+2rem)] sm:px-6 lg:mx-0 lg:px-10 lg:pt-11 lg:pb-16',
              mode === 'user' ? 'max-w-192 lg:max-w-200' : 'max-w-192 lg:max-w-350',
            )}
          >
            <PageOutlet className="space-y-6" />
          </main>
        </div>
        <BottomBar {...menu} />
      </Frame>
    </div>
  )
}
