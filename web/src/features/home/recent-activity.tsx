import { useQuery } from '@tanstack/react-query'
import type { Activity } from '@vrata/contract/activity'
import { useAppContext } from '../../lib/app-context.tsx'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { activityIcon } from '../../ui/icons/activity-icon.ts'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { recentActivity } from './queries.ts'

/** Latest activity of the account. */
export function RecentActivity() {
  const { t } = useI18n()
  const { data, refetch, isFetching } = useQuery(recentActivity(useAppContext()))
  return (
    <Card aria-labelledby="recent-activity">
      <CardHead id="recent-activity" title={t('home.activity.title')} />
      {data?.length ? (
        <Rows>
          {data.map((activity) => (
            <ActivityRow key={activity.id} activity={activity} />
          ))}
        </Rows>
      ) : (
        <CardBody className="flex flex-wrap items-center justify-between gap-4 pt-0">
          <p className="text-muted">{data ? t('home.activity.empty') : t('home.activity.failed')}</p>
          {!data && (
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              {t('ui.try_again')}
            </Button>
          )}
        </CardBody>
      )}
    </Card>
  )
}

/** One activity with app or device and time. */
function ActivityRow({
  activity: { type, app, acting_app, os, browser, location, created_at },
}: {
  activity: Activity
}) {
  const { t, format } = useI18n()
  const { words, exact } = formatTime(created_at, format)
  const shown = acting_app ?? app
  return (
    <Row
      icon={activityIcon(type, os)}
      picture={shown && <Picture kind="app" url={shown.icon} name={shown.name} size={24} className="-mx-0.5" />}
      label={t(`activity.${type}`, { app: app?.name ?? 'none', service: acting_app?.name ?? 'none' })}
      text={[browser, os, location].filter(Boolean).join(' · ') || undefined}
      value={<Time at={created_at} words={words} exact={exact} />}
    />
  )
}
