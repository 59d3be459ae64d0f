import { useRouter, useSearch } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useEffect } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useDeveloperRows } from '../../lib/organizations/use-developer-rows.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { EyeIcon, GlobeIcon } from '../../ui/icons/icons.tsx'
import { HomeIcon, LockIcon } from '../../ui/icons/signed-in-icons.tsx'
import { DeveloperRows } from '../../ui/identity/developer-rows.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { ButtonDemo } from './button-demo.tsx'
import { CodeSample } from './code-sample.tsx'
import { useCreateDeveloper } from './use-create-developer.tsx'

/** Introduction to the developer area and the user's developer accounts. */
export function DevelopersIntroPage() {
  const { t } = useI18n()
  const create = useCreateOnRequest()
  return (
    <>
      <PageHead
        title={t('developers.intro.title')}
        badge={<Badge look="accent">{t('developers.intro.free')}</Badge>}
        text={t('developers.intro.text')}
      />
      {create ? (
        <Button look="primary" className="w-full sm:w-auto" onClick={() => void create()}>
          {t('developers.create.do')}
        </Button>
      ) : (
        <p className="text-muted">{t('developers.create.closed')}</p>
      )}
      <OwnAccounts />
      <Benefits />
      <ButtonDemo />
      <Steps />
      <CodeSample />
    </>
  )
}

/** `?create=true` opens the dialog (product §2.3); closing it removes the parameter. */
function useCreateOnRequest() {
  const router = useRouter()
  const create = useCreateDeveloper()
  const requested = (useSearch({ strict: false }) as { create?: string }).create === 'true'

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the parameter appears
  useEffect(() => {
    if (!requested || !create) return
    // Deferred, because React's strict mode runs effects twice and the page may already be left.
    const timer = setTimeout(async () => {
      if (!(await create())) await router.navigate({ href: paths.developers, replace: true })
    })
    return () => clearTimeout(timer)
  }, [requested])

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

const BENEFITS = [
  { key: 'sign_in', icon: LockIcon },
  { key: 'standard', icon: GlobeIcon },
  { key: 'consent', icon: EyeIcon },
  { key: 'own', icon: HomeIcon },
] as const satisfies { key: string; icon: Icon }[]

function Benefits() {
  const { t } = useI18n()
  return (
    <Card aria-labelledby="gives">
      <CardHead id="gives" title={t('developers.intro.gives')} />
      <Rows>
        {BENEFITS.map(({ key, icon }) => (
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
              className="flex h-12 w-10 shrink-0 items-center justify-center rounded-arch bg-accent-soft pt-1 font-semibold text-on-accent sm:mb-3"
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
