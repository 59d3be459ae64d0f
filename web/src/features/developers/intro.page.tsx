import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useDeveloperRows } from '../../lib/developer-rows.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { DeveloperRows } from '../../ui/developer-rows.tsx'
import type { Icon } from '../../ui/draw-icon.tsx'
import { EyeIcon, GlobeIcon } from '../../ui/icons.tsx'
import { HomeIcon, LockIcon } from '../../ui/inner-icons.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { CodeSample } from './code-sample.tsx'
import { useCreateDeveloper } from './create-developer.tsx'

/** What Vrata gives a site, how one begins, and one's own developer accounts. */
export function IntroPage() {
  const { t } = useI18n()
  const create = useCreateOnRequest()
  return (
    <>
      <PageHead
        title={t('developers.intro.title')}
        badge={<Badge look="lamp">{t('developers.intro.free')}</Badge>}
        text={t('developers.intro.text')}
      />
      <Button look="primary" className="w-full sm:w-auto" onClick={() => void create()}>
        {t('developers.create.do')}
      </Button>
      <OwnAccounts />
      <Gives />
      <Steps />
      <CodeSample />
    </>
  )
}

/** `?create=true` opens the dialog at once (specification §2); when it closes, the address says so, too. */
function useCreateOnRequest() {
  const router = useRouter()
  const create = useCreateDeveloper()
  const wanted = (useSearch({ strict: false }) as { create?: string }).create === 'true'

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the address asks for it
  useEffect(() => {
    if (!wanted) return
    // Not at once: React's strict mode runs this twice, and a page that is being left must not ask.
    const timer = setTimeout(async () => {
      if (!(await create())) await router.navigate({ href: paths.developers, replace: true })
    })
    return () => clearTimeout(timer)
  }, [wanted])

  return create
}

function OwnAccounts() {
  const { t } = useI18n()
  const accounts = useDeveloperRows()
  if (!accounts.length) return null
  return (
    <Card aria-labelledby="own">
      <CardHead id="own" title={t('developers.intro.yours')} />
      <DeveloperRows accounts={accounts} />
    </Card>
  )
}

const GIVES = [
  { key: 'door', icon: LockIcon },
  { key: 'standard', icon: GlobeIcon },
  { key: 'consent', icon: EyeIcon },
  { key: 'own', icon: HomeIcon },
] as const satisfies { key: string; icon: Icon }[]

function Gives() {
  const { t } = useI18n()
  return (
    <Card aria-labelledby="gives">
      <CardHead id="gives" title={t('developers.intro.gives')} />
      <Rows>
        {GIVES.map(({ key, icon }) => (
          <Row
            key={key}
            icon={icon}
            label={t(`developers.intro.gives.${key}`)}
            text={t(`developers.intro.gives.${key}_text`)}
          />
        ))}
      </Rows>
    </Card>
  )
}

const STEPS = ['account', 'app', 'send'] as const

function Steps() {
  const { t, format } = useI18n()
  return (
    <section aria-labelledby="steps">
      <h2 id="steps" className="mb-4 text-title">
        {t('developers.intro.steps')}
      </h2>
      <ol className="grid gap-5 sm:grid-cols-3">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-4 sm:block">
            <span
              aria-hidden="true"
              className="flex h-12 w-10 shrink-0 items-center justify-center rounded-arch bg-lamp-soft pt-1 font-semibold text-on-lamp sm:mb-3"
            >
              {format.number(index + 1)}
            </span>
            <div className="min-w-0">
              <h3 className="text-lead font-semibold">{t(`developers.intro.step.${step}`)}</h3>
              <p className="mt-0.5 text-muted">{t(`developers.intro.step.${step}_text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
