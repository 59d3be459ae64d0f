import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { TextLink } from '../../ui/link.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Blocks } from './article.tsx'
import { guideOf, guides } from './data.ts'
import { ContentsTree, OnThisPage } from './navigation.tsx'
import { Search } from './search.tsx'
import type { Guide } from './tree.ts'
import { namesAnApp, useValues, ValuesContext } from './values.ts'

/** The documentation for developers: contents, one page of it, and what is on that page. */
export function GuidePage() {
  const { t, locale } = useI18n()
  const { page } = useParams({ strict: false }) as { page?: string }
  const guide = guideOf(page)
  const { apps, choose, values } = useValues()
  useTitle(guide && page ? guide.title : undefined)

  return (
    <div className="grid w-full max-w-328 grow content-start gap-x-10 gap-y-4 self-center lg:grid-cols-[15rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-y-7 xl:grid-cols-[15rem_minmax(0,1fr)_13rem]">
      <div className="z-10 min-w-0 lg:col-start-2 lg:row-start-1 lg:max-w-3xl">
        <Search />
      </div>
      <div className="lg:sticky lg:top-4 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:pb-4">
        <ContentsTree current={page ?? ''} />
      </div>
      <div className="min-w-0 lg:col-start-2 lg:row-start-2 lg:max-w-3xl">
        {locale !== 'en-US' && <p className="mb-4 text-muted">{t('guide.in_english')}</p>}
        {guide && namesAnApp(guide) && apps.length > 0 && (
          <SelectField
            label={t('guide.values')}
            value={values.client_id}
            onChange={(event) => choose(event.target.value)}
            className="mb-6 max-w-100"
          >
            <option value="YOUR_CLIENT_ID">{t('guide.values.example')}</option>
            {apps.map(({ client_id, name }) => (
              <option key={client_id} value={client_id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <ValuesContext value={values}>
          {guide ? <Article guide={guide} page={page ?? ''} /> : <Missing />}
        </ValuesContext>
      </div>
      {guide && page && <OnThisPage guide={guide} page={page} />}
    </div>
  )
}

function Article({ guide, page }: { guide: Guide; page: string }) {
  return (
    <article lang="en" className="space-y-4 text-lead">
      <h1 tabIndex={-1} className="text-display outline-none">
        {guide.title}
      </h1>
      <Blocks key={page} blocks={guide.blocks} here={paths.guide(page)} />
      {page && <Neighbours page={page} />}
    </article>
  )
}

/** The next page and the one before, at the end. */
function Neighbours({ page }: { page: string }) {
  const { t, locale } = useI18n()
  const at = guides.findIndex((one) => one.page === page)
  const [before, after] = [guides[at - 1], guides[at + 1]]
  return (
    <nav
      lang={locale}
      aria-label={t('guide.neighbours')}
      className="flex flex-wrap justify-between gap-4 border-t border-line pt-5 text-base"
    >
      {before ? <TextLink href={paths.guide(before.page)}>← {before.title}</TextLink> : <span />}
      {after && <TextLink href={paths.guide(after.page)}>{after.title} →</TextLink>}
    </nav>
  )
}

function Missing() {
  const { t } = useI18n()
  return (
    <>
      <h1 tabIndex={-1} className="text-display outline-none">
        {t('guide.missing')}
      </h1>
      <p className="mt-2 text-lead text-muted">{t('guide.missing_text')}</p>
      <ButtonLink href={paths.docs} className="mt-5">
        {t('guide.contents')}
      </ButtonLink>
    </>
  )
}

/** The name of the page stands before that of the documentation. */
function useTitle(title: string | undefined) {
  const { t } = useI18n()
  useEffect(() => {
    if (title) document.title = `${title} · ${t('ui.title.docs')} · ${t('ui.product')}`
  }, [title, t])
}
