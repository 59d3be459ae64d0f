import { useQuery } from '@tanstack/react-query'
import { useAppContext } from '../../lib/app-context.tsx'
import { clientInfo } from '../../lib/clients/client-queries.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { classes } from '../../ui/classes.ts'

/** Milliseconds between checks. */
const POLL_INTERVAL = 2000

/** Waits until the app has received its first tokens. */
export function FirstSignIn({ id }: { id: string }) {
  const { t } = useI18n()
  const { data } = useQuery({
    ...clientInfo(useAppContext(), id),
    refetchInterval: ({ state }) => (state.data?.first_sign_in_at ? false : POLL_INTERVAL),
  })
  const done = !!data?.first_sign_in_at
  return (
    <div
      role="status"
      className={classes(
        'flex items-center gap-4 rounded-card border px-5 py-4 shadow-card transition-colors duration-150',
        done ? 'border-ok bg-surface' : 'border-line bg-surface',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'relative h-12 w-10 shrink-0 overflow-hidden rounded-arch',
          done ? 'doorway-light' : 'border border-edge bg-sunken',
        )}
      >
        {!done && <span className="progress-strip absolute inset-x-0 bottom-0 h-1" />}
      </span>
      <div className="min-w-0">
        <p className={classes('text-lead font-semibold', done && 'text-ok')}>
          {t(done ? 'clients.quick.done' : 'clients.quick.waiting')}
        </p>
        <p className="text-muted">{t(done ? 'clients.quick.done_text' : 'clients.quick.waiting_text')}</p>
      </div>
    </div>
  )
}
