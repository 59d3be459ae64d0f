import { useI18n } from '../../lib/i18n.tsx'
import { securityReview } from '../../lib/security-review.ts'
import { useUser } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CloseIcon, KeyIcon } from '../../ui/icons/icons.tsx'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'
import { useFindingText } from './finding-row.tsx'
import { FINDING_ORDER, isWarning } from './security-findings.ts'
import { useFindings } from './use-findings.ts'
import { useReview } from './use-review.ts'

const ORDER: readonly string[] = FINDING_ORDER

/** Above the page of a finding: which one it is, whether it is solved, and the way to the next. */
export function SecurityReviewBar({ what }: { what: string }) {
  const { t } = useI18n()
  const textOf = useFindingText()
  const { findings, state, retry } = useFindings(useUser())
  const warnings = findings.filter(isWarning)
  const review = useReview()
  const current = warnings.find((finding) => finding.what === what)
  const place = (finding: string) => ORDER.indexOf(finding)
  const later = warnings.filter((finding) => place(finding.what) > place(what))
  if (state === 'loading') return null
  // An unknown state counts as not done.
  const unknown = !current && state === 'failed'
  const done = t(unknown ? 'home.check.failed' : 'home.review.done')
  return (
    <section
      aria-label={t('home.check.title')}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card bg-accent-soft py-3 pr-2 pl-5 text-on-accent"
    >
      {current || unknown ? <KeyIcon /> : <CheckIcon />}
      <p role="status" className="min-w-0 grow basis-40">
        <span className="block text-small">{t('home.check.title')}</span>
        <span className="block font-semibold">{current ? textOf(current).label : done}</span>
      </p>
      <span className="flex items-center gap-1">
        {state === 'failed' ? (
          <Button size="small" onClick={retry}>
            {t('ui.try_again')}
          </Button>
        ) : (
          <Button size="small" onClick={() => review.open(later)}>
            {t(later.length ? 'home.review.next' : 'home.review.finish')}
          </Button>
        )}
        <IconButton label={t('home.review.end')} onClick={securityReview.end}>
          <CloseIcon />
        </IconButton>
      </span>
    </section>
  )
}
