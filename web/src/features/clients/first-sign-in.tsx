import { useQuery } from '@tanstack/react-query'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'
import { classes } from '../../ui/classes.ts'
import { clientInfo } from './data.ts'

/** Between two looks, in milliseconds. */
const LOOK_AGAIN = 2000

/** Waits until the app has got its first tokens for somebody, and then shines. */
export function FirstSignIn({ id }: { id: string }) {
  const { t } = useI18n()
  const { data } = useQuery({
    ...clientInfo(useWires(), id),
    refetchInterval: ({ state }) => (state.data?.first_sign_in_at ? false : LOOK_AGAIN),
  })
  const lit = !!data?.first_sign_in_at
  return (
    <div
      role="status"
      className={classes(
        'flex items-center gap-4 rounded-card border px-5 py-4 shadow-card transition-colors duration-150',
        lit ? 'border-ok bg-surface' : 'border-line bg-surface',
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          'relative h-12 w-10 shrink-0 overflow-hidden rounded-arch',
          lit ? 'lamplight' : 'border border-edge bg-sunken',
        )}
      >
        {!lit && <span className="light-strip absolute inset-x-0 bottom-0 h-1" />}
      </span>
      <div className="min-w-0">
        <p className={classes('text-lead font-semibold', lit && 'text-ok')}>
          {t(lit ? 'clients.quick.lit' : 'clients.quick.waiting')}
        </p>
        <p className="text-muted">{t(lit ? 'clients.quick.lit_text' : 'clients.quick.waiting_text')}</p>
      </div>
    </div>
  )
}
