import { LEVELS } from '@vrata/contract'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { AddedPermissions } from './level-field.tsx'

/** Table of levels, derived from the contract. */
export function LevelsCard() {
  const { t } = useI18n()
  const { permission } = useUser()
  return (
    <Card aria-labelledby="levels">
      <CardHead id="levels" title={t('members.levels.title')} text={t('members.levels.text')} />
      <dl className="divide-y divide-line">
        {LEVELS.map((level) => (
          <div key={level} className="gap-6 px-5 py-3 sm:flex sm:px-6">
            <dt className="flex shrink-0 items-start gap-2 pt-1 font-semibold sm:w-44">
              {t(`menu.level.${level}`)}
              {level === permission && <Badge look="on">{t('members.you')}</Badge>}
            </dt>
            <dd className="min-w-0 grow text-muted">
              <AddedPermissions level={level} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
