import { paths } from '@vrata/contract/page-addresses'
import { useEffect, useId, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { ChevronDownIcon } from '../../ui/icons/icons.tsx'
import { Link } from '../../ui/navigation/link.tsx'
import { contents, docPages } from './pages.ts'
import type { Block, DocPage, Inline } from './tree.ts'

/** List of all pages. On phones it collapses under the title of the current page. */
export function ContentsTree({ current }: { current: string }) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes after navigation
  useEffect(() => setOpen(false), [current])
  return (
    <nav aria-label={t('docs.contents')}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-12 w-full items-center justify-between gap-3 rounded-control border border-line bg-surface px-4 text-left font-semibold lg:hidden"
      >
        <span>
          <span className="sr-only">{t('docs.contents')}: </span>
          <span lang="en">{docPages.find(({ page }) => page === current)?.title ?? t('docs.contents')}</span>
        </span>
        <ChevronDownIcon className={classes('text-muted transition-transform', open && 'rotate-180')} />
      </button>
      <div id={id} lang="en" className={classes(!open && 'max-lg:hidden', 'mt-2 space-y-4 lg:mt-0')}>
        {contents.map(({ title, pages }) => (
          <div key={title}>
            <p className="px-3 pb-1 text-small font-semibold text-muted">{title}</p>
            <ul>
              {pages.map(({ page, title }) => (
                <li key={page}>
                  <Link
                    href={paths.guide(page)}
                    aria-current={page === current ? 'page' : undefined}
                    className={classes(
                      'flex min-h-11 items-center rounded-row px-3 py-1.5 -outline-offset-3 lg:min-h-9',
                      page === current ? 'bg-brand-soft font-semibold text-brand-strong' : 'hover:bg-sunken',
                    )}
                  >
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}

/** Sections of the page; the visible one is marked. */
export function OnThisPage({ guide, page }: { guide: DocPage; page: string }) {
  const { t } = useI18n()
  const id = useId()
  const headings = guide.blocks.filter((block) => block[0] === 'h' && block[1] === 2) as Extract<
    Block,
    ['h', ...unknown[]]
  >[]
  const current = useSectionInView(guide)
  if (headings.length < 2) return null
  return (
    <nav
      aria-labelledby={id}
      className="hidden self-start xl:sticky xl:top-[calc(var(--notice-height)+1rem)] xl:col-start-3 xl:row-start-2 xl:block"
    >
      <p id={id} className="pb-1 text-small font-semibold text-muted">
        {t('docs.on_this_page')}
      </p>
      <ul lang="en" className="border-l border-line">
        {headings.map(([, , anchor, line]) => (
          <li key={anchor}>
            <Link
              href={paths.guide(page, anchor)}
              aria-current={anchor === current ? 'location' : undefined}
              className={classes(
                '-ml-px flex min-h-8 items-center border-l-2 py-1 pl-3 text-base',
                anchor === current ? 'border-brand font-semibold' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {wordsOf(line)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function wordsOf(line: readonly Inline[]): string {
  return line.map((part) => (typeof part === 'string' ? part : part[0] === 'c' ? part[1] : '')).join('')
}

/** Anchor of the last heading above the upper third of the window. */
function useSectionInView(guide: DocPage): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const anchors = guide.blocks.flatMap((block) => (block[0] === 'h' && block[1] === 2 ? [block[2]] : []))
    const look = () => {
      const passed = (anchor: string) =>
        (document.getElementById(anchor)?.getBoundingClientRect().top ?? 1e9) < innerHeight / 3
      setCurrent(anchors.findLast(passed))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [guide])
  return current
}
