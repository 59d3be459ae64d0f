import { useParams } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useEffect } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { Blocks } from './blocks.tsx'
import { ContentsTree, OnThisPage } from './navigation.tsx'
import { docPages, loadedDocPage } from './pages.ts'
import { hasClientId, PlaceholderContext, usePlaceholderValues } from './placeholder-values.ts'
import { Search } from './search.tsx'
import type { DocPage } from './tree.ts'

/** Documentation for developers: contents, one page, and its sections. */
export function DocsPage() {
  const { t, locale } = useI18n()
  const { page } = useParams({ strict: false }) as { page?: string }
  const guide = loadedDocPage(page)
  const { apps, choose, values } = usePlaceholderValues()
  useTitle(guide && page ? guide.title : undefined)

  return (
    <div className="grid w-full max-w-328 grow content-start gap-x-10 gap-y-4 self-center lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-y-7 xl:grid-cols-[15rem_minmax(0,1fr)_13rem]">
      <div className="z-10 min-w-0 lg:col-start-2 lg:row-start-1 lg:max-w-3xl">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
          <div className="grow basis-64">
            <Search />
          </div>
          <TextLink href={paths.ownApplications} className="flex min-h-11 items-center">
            {t('docs.apps')}
          </TextLink>
        </div>
      </div>
      <div className="lg:sticky lg:top-[calc(var(--notice-height)+1rem)] lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:max-h-[calc(100dvh-var(--notice-height)-2rem)] lg:self-start lg:overflow-y-auto lg:pb-4">
        <ContentsTree current={page ?? ''} />
      </div>
      <div className="min-w-0 lg:col-start-2 lg:row-start-2 lg:max-w-3xl">
        {locale !== 'en-US' && <p className="mb-4 text-muted">{t('docs.in_english')}</p>}
        {guide && hasClientId(guide) && apps.length > 0 && (
          <SelectField
            label={t('docs.values')}
            value={values.client_id}
            onChange={(event) => choose(event.target.value)}
            className="mb-6 max-w-100"
          >
            <option value="YOUR_CLIENT_ID">{t('docs.values.example')}</option>
            {apps.map(({ client_id, name }) => (
              <option key={client_id} value={client_id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <PlaceholderContext value={values}>
          {guide ? <Article guide={guide} page={page ?? ''} /> : <Missing />}
        </PlaceholderContext>
      </div>
      {guide && page && <OnThisPage guide={guide} page={page} />}
    </div>
  )
}

function Article({ guide, page }: { guide: DocPage; page: string }) {
  return (
    <article lang="en" className="space-y-4 text-lead">
      <h1 tabIndex={-1} className="text-display outline-none">
        {guide.title}
      </h1>
      <Blocks key={page} blocks={guide.blocks} here={paths.guide(page)} />
      {page && <PreviousAndNext page={page} />}
    </article>
  )
}

/** Links to the previous and next page. */
function PreviousAndNext({ page }: { page: string }) {
  const { t, locale } = useI18n()
  const at = docPages.findIndex((one) => one.page === page)
  const [before, after] = [docPages[at - 1], docPages[at + 1]]
  return (
    <nav
      lang={locale}
      aria-label={t('docs.neighbors')}
      className="flex flex-wrap justify-between gap-4 border-t border-line pt-5 text-base"
    >
      {before ? (
        <span className="flex min-h-11 items-center">
          <TextLink href={paths.guide(before.page)}>← {before.title}</TextLink>
        </span>
      ) : (
        <span />
      )}
      {after && (
        <span className="flex min-h-11 items-center">
          <TextLink href={paths.guide(after.page)}>{after.title} →</TextLink>
        </span>
      )}
    </nav>
  )
}

function Missing() {
  const { t } = useI18n()
  return (
    <>
      <h1 tabIndex={-1} className="text-display outline-none">
        {t('docs.missing')}
      </h1>
      <p className="mt-2 text-lead text-muted">{t('docs.missing_text')}</p>
      <ButtonLink href={paths.docs} className="mt-5">
        {t('docs.contents')}
      </ButtonLink>
    </>
  )
}

/** Prefixes the document title. */
function useTitle(title: string | undefined) {
  const { t } = useI18n()
  useEffect(() => {
    if (title) document.title = `${title} · ${t('ui.title.docs')} · ${t('ui.product')}`
  }, [title, t])
}
