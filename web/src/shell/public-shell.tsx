import { paths } from '@vrata/contract/page-addresses'
import type { ReactNode } from 'react'
import { useI18n } from '../lib/i18n.tsx'
import { Wordmark } from '../ui/icons/wordmark.tsx'
import { Link } from '../ui/navigation/link.tsx'
import { BrandLinks } from './branding/brand-links.tsx'
import { CONTENT, Frame } from './frame.tsx'
import { PageOutlet } from './page-outlet.tsx'
import { Language } from './preferences/language.tsx'

/** Public pages: logo and language above, one card in the center. */
export function PublicShell() {
  return (
    <PublicFrame>
      <PageOutlet className="flex w-full flex-col items-center" />
    </PublicFrame>
  )
}

/** The same frame for content that is not a route. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { brand } = useI18n()
  return (
    <div className="flex min-h-dvh flex-col">
      <Frame
        header={
          <header className="flex flex-wrap items-center justify-between px-4 py-3 sm:px-6 sm:py-4">
            <Link href={paths.home} className="rounded-row px-2 py-2">
              <Wordmark name={brand.name} />
            </Link>
            <Language />
          </header>
        }
      >
        <main
          id={CONTENT}
          tabIndex={-1}
          className="flex grow flex-col items-center px-4 pt-4 pb-8 [--notice-height:2.25rem] peer-empty:[--notice-height:0px] sm:justify-center sm:pb-24"
        >
          {children}
        </main>
        <BrandLinks />
      </Frame>
    </div>
  )
}
