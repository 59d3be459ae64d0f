import type { UserInfo } from '@vrata/contract/account'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Shimmer } from '../../ui/feedback/skeleton.tsx'
import { KeyIcon } from '../../ui/icons/icons.tsx'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'
import { AttentionCard, Card } from '../../ui/layout/card.tsx'
import { Rows } from '../../ui/layout/row.tsx'
import { FindingRow, PasswordRow } from './finding-row.tsx'
import { isWarning } from './security-findings.ts'
import { useFindings } from './use-findings.ts'
import { useReview } from './use-review.ts'

/** Number of findings shown; warnings are always shown. */
const SHOWN = 3

/** Security findings, worst first, each with a link to its solution. Warnings are marked, and Review leads through them. */
export function SecurityCheck({ user }: { user: UserInfo }) {
  const { t } = useI18n()
  const { findings: all, state, retry } = useFindings(user)
  const review = useReview()
  const warnings = all.filter(isWarning)
  const findings = all.slice(0, Math.max(SHOWN, warnings.length))
  const rows = (
    <Rows>
      {findings.map((finding) => (
        <FindingRow key={finding.what} finding={finding} />
      ))}
      <PasswordRow key="password" user={user} />
    </Rows>
  )
  if (warnings.length) {
    // These are known without the devices and apps.
    const others = state === 'failed' && (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3 sm:px-6">
        <p className="min-w-0 grow basis-48 text-muted">{t('home.check.failed')}</p>
        <Button size="small" onClick={retry}>
          {t('ui.try_again')}
        </Button>
      </div>
    )
    return (
      <AttentionCard
        title={t('home.check.title')}
        text={t('home.check.attention', { count: warnings.length })}
        icon={<KeyIcon />}
        action={
          <Button look="primary" size="small" onClick={() => review.open(warnings)}>
            {t('home.check.review')}
          </Button>
        }
      >
        {rows}
        {others}
      </AttentionCard>
    )
  }
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-4 border-b border-line p-5 sm:p-6">
        <span className="flex h-14 w-12 shrink-0 items-center justify-center rounded-arch bg-brand-soft pt-1 text-ok">
          {state === 'complete' ? <CheckIcon size={24} /> : <KeyIcon size={24} className="text-brand" />}
        </span>
        <div className="min-w-0 grow basis-40">
          <h2 className="text-title">{t('home.check.title')}</h2>
          {state === 'loading' ? (
            <Shimmer className="mt-1 h-5 w-48 max-w-full" />
          ) : state === 'failed' ? (
            <p className="text-muted">{t('home.check.failed')}</p>
          ) : (
            <p className="text-ok">{t('home.check.fine')}</p>
          )}
        </div>
        {state === 'failed' && (
          <Button size="small" onClick={retry}>
            {t('ui.try_again')}
          </Button>
        )}
      </div>
      {rows}
    </Card>
  )
}
